"""The program behind lb-bench/policies: like compare http, with one policy for all requests."""

import argparse
from pathlib import Path

from harness import compare_http
from harness.policy_scenarios import DEFAULT, SCENARIOS
from harness.workplace import run_program


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("policies", lambda: compare_http.run(options, SCENARIOS), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="policies", description="Compares the cost of policies with that of nginx and HAProxy, in interleaved rounds."
    )
    parser.add_argument(
        "--scenario", type=_scenarios, default=DEFAULT, metavar="NAMES", help=f"some of {', '.join(SCENARIOS)} (all)"
    )
    parser.add_argument("--peers", type=_words, default=["haproxy", "nginx"], help="beside Ballast (haproxy,nginx)")
    parser.add_argument("--before", type=Path, help="another built checkout of Ballast as an additional peer")
    parser.add_argument("--rounds", type=int, default=5, help="rounds; each measures every peer once (%(default)s)")
    parser.add_argument("--seconds", type=int, default=5, help="length of one run (%(default)s)")
    parser.add_argument("--warmup", type=int, default=12, help="seconds of warm-up for Ballast (%(default)s)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    parser.set_defaults(connections=None, no_fixed_rate=True)
    return parser


def _words(text):
    return [word for word in text.split(",") if word]


def _scenarios(text):
    names = tuple(_words(text))
    for name in names:
        if name not in SCENARIOS:
            raise argparse.ArgumentTypeError(f"{name} (expected: some of {', '.join(SCENARIOS)})")
    return names
