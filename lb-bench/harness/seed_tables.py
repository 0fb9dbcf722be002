"""The program behind lb-bench/seed-tables: repeats published measurements."""

import argparse
from pathlib import Path

from harness import seed_divisor, seed_opengslb
from harness.workplace import run_program


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("seed-tables", lambda: options.run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(prog="seed-tables", description="Repeats the tables of published reports.")
    reports = parser.add_subparsers(required=True, metavar="REPORT")
    divisor = reports.add_parser("divisor", help="the five scenarios of Divisor's report")
    divisor.set_defaults(run=seed_divisor.run)
    divisor.add_argument("--strategies", help="such as random,ip-hash; all if left out")
    divisor.add_argument("--connections", type=int, default=512, help="%(default)s")
    divisor.add_argument("--seconds", type=int, default=10, help="seconds per scenario (%(default)s)")
    divisor.add_argument("--warmup", type=int, default=12, help="seconds of warm-up before each scenario (%(default)s)")
    opengslb = reports.add_parser("opengslb", help="OpenGSLB's figures by routing rule and by backends")
    opengslb.set_defaults(run=seed_opengslb.run)
    opengslb.add_argument("--tables", type=_tables, default=tuple(seed_opengslb.TABLES), metavar="NAMES", help=_TABLES_HELP)
    opengslb.add_argument("--rounds", type=int, default=5, help="interleaved rounds of each kind of query (%(default)s)")
    opengslb.add_argument("--seconds", type=int, default=5, help="seconds per run (%(default)s)")
    opengslb.add_argument("--warmup", type=int, default=12, help="seconds of warm-up per process (%(default)s)")
    for each in (divisor, opengslb):
        each.add_argument("--out", type=Path, help="write the report to this file")
    return parser


_TABLES_HELP = f"some of {', '.join(seed_opengslb.TABLES)} (all)"


def _tables(text):
    names = tuple(text.split(","))
    for name in names:
        if name not in seed_opengslb.TABLES:
            raise argparse.ArgumentTypeError(f"{name} (expected: some of {', '.join(seed_opengslb.TABLES)})")
    return names
