"""The program behind lb-bench/cluster."""

import argparse
from pathlib import Path

from harness import cluster_agents, cluster_bars, cluster_engine, cluster_health
from harness.workplace import run_program


def main(arguments=None):
    options = _parser().parse_args(arguments)
    if options.agents:
        mode = cluster_agents
    elif options.bars:
        mode = cluster_bars
    else:
        mode = cluster_health if options.health else cluster_engine
    return run_program("cluster", lambda: mode.run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="cluster", description="Members of a cluster as processes. All but --health needs root, for network namespaces."
    )
    modes = parser.add_mutually_exclusive_group(required=True)
    modes.add_argument(
        "--engine", action="store_true", help="only the engine: replicated log, latency, faults, rolling restart"
    )
    modes.add_argument("--health", action="store_true", help="time until a health decision has its effect on all nodes")
    modes.add_argument("--bars", action="store_true", help="whole nodes against a table of bars: effects, losses, heals, cost")
    modes.add_argument("--agents", type=int, help="so many agents at one node: registration, idle traffic, restart")
    parser.add_argument("--nodes", type=int, default=50, help="processes (%(default)s)")
    parser.add_argument("--changes", type=int, default=200, help="health changes that are measured (%(default)s)")
    parser.add_argument("--voters", type=int, default=3, help="how many of them vote (%(default)s)")
    parser.add_argument("--writes", type=int, default=500, help="commands whose latency is measured (%(default)s)")
    parser.add_argument("--schedules", type=int, default=200, help="schedules of faults (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first schedule (%(default)s)")
    parser.add_argument("--minutes", type=float, default=600, help="begin no schedule after so many minutes (%(default)s)")
    parser.add_argument("--losses", type=int, default=5, help="how often a node is lost in each way (%(default)s)")
    parser.add_argument("--cuts", type=float, nargs="*", default=[20], help="seconds of each cut of the network (%(default)s)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser
