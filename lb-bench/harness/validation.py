"""The program behind lb-bench/validation: what Ballast's forwarder and unbound make of the same answers with DNSSEC."""

import argparse
import shutil
import subprocess
from collections import Counter
from pathlib import Path

from harness import conditions
from harness.workplace import ROOT, Failure, Workplace, run_program, say

_TEST = "ValidationVerdictsTest"
_VERDICTS = ("SECURE", "INSECURE", "BOGUS")


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="validation",
        description="Asks every question for a tree of zones that are signed well, badly and not at all through Ballast and unbound,"
        " which forward to the same resolver.",
    )
    parser.add_argument("--out", type=Path, help="a file to write the report to")
    options = parser.parse_args(arguments)
    return run_program("validation", _run, options.out)


def _run():
    if shutil.which("unbound") is None:
        raise Failure("unbound is missing (apt-get install unbound)")
    with Workplace() as place:
        verdicts = place.directory / "verdicts"
        facts = conditions.gather()
        _ask(verdicts)
        rows = parse(verdicts.read_text())
        return _report(facts, rows), all(ours == theirs for _, _, ours, theirs in rows)


def _ask(verdicts):
    """The tree, the resolver that serves it and both validators are those of the test of this name."""
    say(f"running {_TEST}")
    done = subprocess.run(
        [
            *("./mvnw", "-B", "-q", "test", "-pl", "lb-core,lb-net,lb-dns", f"-Dtest={_TEST}"),
            *("-Dsurefire.failIfNoSpecifiedTests=false", f"-Dballast.verdicts={verdicts}"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if not verdicts.exists():
        raise Failure(f"{_TEST} did not ask:\n{(done.stdout + done.stderr)[-4000:]}")


def parse(text):
    """Returns (name, type, verdict of Ballast, verdict of unbound) of each question."""
    return [tuple(line.split()) for line in text.splitlines()]


def zone_of(name):
    """The zones of the tree end in lab; below two of them there is a child."""
    labels = name.split(".")
    return ".".join(labels[-3:] if "child" in labels else labels[-2:])


def by_zone(rows):
    """The rows of a table: a zone, how many questions got which verdict of Ballast, and on how many unbound agrees."""
    zones = {}
    for name, _, ours, theirs in rows:
        counts = zones.setdefault(zone_of(name), Counter())
        counts[ours] += 1
        counts["agreed"] += ours == theirs
        counts["all"] += 1
    return [
        f"| {zone} | {counts['all']} | {' | '.join(str(counts[verdict]) for verdict in _VERDICTS)} | {counts['agreed']} |"
        for zone, counts in sorted(zones.items())
    ]


def _report(facts, rows):
    version = subprocess.run(["unbound", "-V"], capture_output=True, text=True, check=False).stdout.splitlines()[0]
    lines = ["# Verdicts on signatures, beside unbound's", ""]
    lines += [f"- {name}: {value}" for name, value in [*facts, ("unbound", version)]]
    lines += ["", "| zone | questions | secure | insecure | bogus | unbound agrees |", "|---|---|---|---|---|---|", *by_zone(rows), ""]
    differences = [f"- {name} {kind}: {ours}, unbound: {theirs}" for name, kind, ours, theirs in rows if ours != theirs]
    lines += differences or [f"Both say the same of all {len(rows)} questions."]
    return "\n".join(lines)
