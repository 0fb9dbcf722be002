"""Runs wrk and parses its figures, which report.lua prints as JSON, because wrk rounds its own text."""

import json
import shutil
import subprocess
from dataclasses import dataclass

from harness.workplace import BENCH, Failure

_MARK = "ballast-bench "


@dataclass(frozen=True)
class Load:
    """The result of one run of a load tool. Times in milliseconds."""

    requests: int
    seconds: float
    bytes: int
    errors: dict
    p50: float
    p99: float
    p99_9: float
    max: float
    text: str = ""
    # The delay of the client itself; only for an open loop.
    late_p99: float = 0.0
    # The p99 of the responses with a status of 2xx; only for an open loop.
    answered_p99: float = 0.0

    @property
    def rate(self):
        return self.requests / self.seconds

    @property
    def failed(self):
        return sum(self.errors.values())


def is_installed():
    return shutil.which("wrk") is not None


def run(url, connections, seconds, threads=1, headers=(), timeout=10, script="report.lua", arguments=()):
    """Closed loop with keep-alive: every connection sends its next request after the previous response. The script must
    print the report."""
    command = ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", f"--timeout={timeout}s", "--latency"]
    for header in headers:
        command += ["-H", header]
    command += ["-s", str(BENCH / "harness" / script), url]
    if arguments:
        command += ["--", *map(str, arguments)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60)
    except FileNotFoundError:
        raise Failure("wrk is missing (apt-get install wrk)") from None
    if done.returncode != 0:
        raise Failure(f"wrk exited with {done.returncode}: {done.stderr.strip() or done.stdout.strip()}")
    return parse(done.stdout)


def parse(text):
    """Parses the output of wrk with report.lua."""
    lines = text.splitlines()
    reports = [line[len(_MARK) :] for line in lines if line.startswith(_MARK)]
    if not reports:
        raise Failure(f"wrk printed no report:\n{text}")
    report = json.loads(reports[0])
    # wrk includes responses with an error status in the requests.
    report["requests"] -= report["errors"]["status"]
    return load_of(report, "\n".join(line for line in lines if not line.startswith(_MARK)))


def load_of(report, text=""):
    """Returns the load from JSON with times in microseconds, the format of report.lua and of our own load generator."""
    return Load(
        requests=report["requests"],
        seconds=report["microseconds"] / 1e6,
        bytes=report["bytes"],
        errors=report["errors"],
        p50=report["p50"] / 1e3,
        p99=report["p99"] / 1e3,
        p99_9=report["p99_9"] / 1e3,
        max=report["max"] / 1e3,
        text=text,
        late_p99=report.get("late_p99", 0) / 1e3,
        answered_p99=report.get("answered_p99", 0) / 1e3,
    )
