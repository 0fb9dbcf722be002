"""The subject of a conformance program: Ballast, or HAProxy to validate the program itself."""

import argparse
from pathlib import Path

from harness import conditions, ports, report
from harness.peers import KNOWN
from harness.workplace import Failure, Workplace, await_true, run_program, say

NAMES = ("ballast", "haproxy")


class _Files:
    """The directory of a program's configurations in lb-bench/peers."""

    def __init__(self, directory):
        self._directory = directory

    def template(self, file):
        return f"{self._directory}/{file}"


def parser(name, description):
    made = argparse.ArgumentParser(prog=name, description=description)
    made.add_argument("--against", choices=NAMES, default=NAMES[0], help="the tested balancer (%(default)s)")
    made.add_argument("--out", type=Path, help="write the report to this file")
    return made


def start(name, place, directory, backends, answers):
    """Starts the named subject with the files of a directory, and waits until `answers(running)` is true."""
    starter, is_installed, how_to_get = KNOWN[name]
    if not is_installed():
        raise Failure(f"{name} is missing: {how_to_get}")
    say(f"starting {name}")
    running = starter(place, _Files(directory), backends)
    await_true(lambda: answers(running), f"{name} to answer", 10, running.started)
    return running


def address(port):
    return f"{ports.LOOPBACK}:{port}"


class Checks:
    """The checks as rows of a table, with the failed and skipped ones."""

    def __init__(self):
        self.rows = []
        self.failures = []
        self.skipped = []

    def passed(self, *row):
        self.rows.append([*map(str, row), "passed"])

    def failed(self, why, *row):
        self.rows.append([*map(str, row), "**FAILED**"])
        self.failures.append(f"{', '.join(map(str, row))}: {why}")
        say(f"FAILED {self.failures[-1]}")

    def record(self, faults, *row):
        """Adds a row, which has failed if there are faults."""
        if faults:
            self.failed("; ".join(faults), *row)
        else:
            self.passed(*row)

    def skip(self, what):
        self.skipped.append(what)
        say(f"SKIPPED {what}")


def write(title, about, facts, header, checks):
    """Returns the report of the checks, with the number of failures first."""
    missed = len(checks.failures)
    verdict = f"**{missed} of {len(checks.rows)} failed.**" if missed else f"All {len(checks.rows)} passed."
    parts = [
        f"# {title}",
        f"{about} {verdict}" + (f" {len(checks.skipped)} SKIPPED." if checks.skipped else ""),
        report.conditions(conditions.gather() + facts),
        report.table([*header, ""], checks.rows),
        "\n".join(f"- SKIPPED: {what}" for what in checks.skipped),
        "\n".join(f"- FAILED: {why}" for why in checks.failures),
    ]
    return "\n\n".join(part for part in parts if part)


def run(options, name, test):
    """Runs `test(place, options)`, which returns (report, whether it passed), in a workplace of its own."""

    def produce():
        with Workplace() as place:
            return test(place, options)

    return run_program(name, produce, options.out)
