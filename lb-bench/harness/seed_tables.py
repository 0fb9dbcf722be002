"""The program behind lb-bench/seed-tables: published tables, repeated."""

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
    divisor.add_argument("--seconds", type=int, default=10, help="of one scenario (%(default)s)")
    divisor.add_argument("--warmup", type=int, default=12, help="seconds before each scenario (%(default)s)")
    opengslb = reports.add_parser("opengslb", help="OpenGSLB's figures by routing rule and by backends")
    opengslb.set_defaults(run=seed_opengslb.run)
    opengslb.add_argument("--tables", type=_tables, default=tuple(seed_opengslb.TABLES), metavar="NAMES", help=_TABLES_HELP)
    opengslb.add_argument("--rounds", type=int, default=5, help="of each kind of question, interleaved (%(default)s)")
    opengslb.add_argument("--seconds", type=int, default=5, help="of one run (%(default)s)")
    opengslb.add_argument("--warmup", type=int, default=12, help="seconds for each process before (%(default)s)")
    for each in (divisor, opengslb):
        each.add_argument("--out", type=Path, help="a file to write the report to")
    return parser


_TABLES_HELP = f"some of {', '.join(seed_opengslb.TABLES)} (all)"


def _tables(text):
    names = tuple(text.split(","))
    for name in names:
        if name not in seed_opengslb.TABLES:
            raise argparse.ArgumentTypeError(f"{name} (expected: some of {', '.join(seed_opengslb.TABLES)})")
    return names
