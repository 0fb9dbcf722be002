"""The program behind lb-bench/validation: verdicts of Ballast's forwarder and unbound on the same DNSSEC answers."""

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
        description="Sends every query for a tree of correctly signed, incorrectly signed and unsigned zones to Ballast and unbound,"
        " which forward to the same resolver.",
    )
    parser.add_argument("--out", type=Path, help="write the report to this file")
    options = parser.parse_args(arguments)
    return run_program("validation", _run, options.out)


def _run():
    if shutil.which("unbound") is None:
        raise Failure("unbound is missing (apt-get install unbound)")
    with Workplace() as place:
        verdicts = place.directory / "verdicts"
        facts = conditions.gather()
        _query(verdicts)
        rows = parse(verdicts.read_text())
        return _report(facts, rows), all(ours == theirs for _, _, ours, theirs in rows)


def _query(verdicts):
    """Runs the test of this name, which contains the tree, its resolver and both validators."""
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
        raise Failure(f"{_TEST} did not run:\n{(done.stdout + done.stderr)[-4000:]}")


def parse(text):
    """Returns (name, type, verdict of Ballast, verdict of unbound) of each query."""
    return [tuple(line.split()) for line in text.splitlines()]


def zone_of(name):
    """Returns the zone of a name: the zones of the tree are below lab; two of them have a child."""
    labels = name.split(".")
    return ".".join(labels[-3:] if "child" in labels else labels[-2:])


def by_zone(rows):
    """Returns the rows of a table: a zone, the number of queries by Ballast's verdict, and the number with unbound's
    agreement."""
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
    lines = ["# DNSSEC verdicts compared with unbound's", ""]
    lines += [f"- {name}: {value}" for name, value in [*facts, ("unbound", version)]]
    lines += ["", "| zone | questions | secure | insecure | bogus | unbound agrees |", "|---|---|---|---|---|---|", *by_zone(rows), ""]
    differences = [f"- {name} {kind}: {ours}, unbound: {theirs}" for name, kind, ours, theirs in rows if ours != theirs]
    lines += differences or [f"The verdicts on all {len(rows)} queries are equal."]
    return "\n".join(lines)
