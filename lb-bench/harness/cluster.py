"""The program behind lb-bench/cluster."""

import argparse
from pathlib import Path

from harness import cluster_engine
from harness.workplace import run_program


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("cluster", lambda: cluster_engine.run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="cluster", description="Members of a cluster as processes in network namespaces. Needs root."
    )
    parser.add_argument(
        "--engine", action="store_true", required=True, help="only the engine: replicated log, latency, faults, rolling restart"
    )
    parser.add_argument("--nodes", type=int, default=50, help="processes (%(default)s)")
    parser.add_argument("--voters", type=int, default=3, help="how many of them vote (%(default)s)")
    parser.add_argument("--writes", type=int, default=500, help="commands whose latency is measured (%(default)s)")
    parser.add_argument("--schedules", type=int, default=200, help="schedules of faults (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first schedule (%(default)s)")
    parser.add_argument("--minutes", type=float, default=600, help="begin no schedule after so many minutes (%(default)s)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser
