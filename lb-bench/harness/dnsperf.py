"""Runs dnsperf and parses its statistics."""

import re
import shutil
import subprocess
from dataclasses import dataclass

from harness import ports
from harness.workplace import Failure

# Each client has its own socket, and the kernel distributes sockets over the threads of a server.
CLIENTS = 20
# Requests signatures (DO).
SIGNED = ("-D",)
# Sends the client subnet 198.51.100.0/24 (RFC 7871).
CLIENT_SUBNET = ("-E", "8:00011800c63364")


@dataclass(frozen=True)
class Queries:
    """The result of one run. Times in milliseconds."""

    sent: int
    completed: int
    lost: int
    not_answered_well: int
    seconds: float
    average_ms: float
    max_ms: float
    # Average size of an answer in bytes.
    answer_size: int

    @property
    def rate(self):
        return self.completed / self.seconds


def is_installed():
    return shutil.which("dnsperf") is not None


def run(port, queries, outstanding, seconds, rate=None, options=()):
    """Closed loop over UDP: as soon as fewer than `outstanding` queries are pending, the next one is sent.

    With a rate, at most this many are sent per second. `options` are dnsperf options, such as SIGNED or CLIENT_SUBNET.
    """
    return parse(_run(port, queries, outstanding, seconds, [*_at(rate), *options]))


def run_timed(port, queries, outstanding, seconds, rate, options=()):
    """Runs at a fixed rate that is low enough to print each query; returns (result, sorted response times in ms)."""
    text = _run(port, queries, outstanding, seconds, ["-v", *_at(rate), *options])
    return parse(text), response_times(text)


def response_times(text):
    return sorted(float(seconds) * 1e3 for seconds in re.findall(r"^> NOERROR \S+ \S+ ([\d.]+)$", text, re.MULTILINE))


def percentile(ascending, share):
    """Returns the value that a share of the values does not exceed; NaN without values."""
    return ascending[min(len(ascending) - 1, int(share * len(ascending)))] if ascending else float("nan")


def _at(rate):
    return ["-Q", str(rate)] if rate else []


def _run(port, queries, outstanding, seconds, options):
    command = ["dnsperf", "-s", ports.LOOPBACK, "-p", str(port), "-d", str(queries), "-T", "1", "-c", str(CLIENTS)]
    command += ["-q", str(outstanding), "-l", str(seconds), "-t", "1", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60)
    if done.returncode != 0:
        raise Failure(f"dnsperf exited with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def parse(text):
    codes = re.search(r"Response codes:\s+(.*)", text)
    latency = re.search(r"Average Latency \(s\):\s+([\d.]+) \(min [\d.]+, max ([\d.]+)\)", text)
    size = re.search(r"Average packet size:\s+request \d+, response (\d+)", text)
    if not (codes and latency and size):
        raise Failure(f"cannot parse the output of dnsperf:\n{text}")
    others = sum(int(count) for code, count in re.findall(r"(\w+) (\d+) \(", codes[1]) if code != "NOERROR")
    return Queries(
        sent=int(_number(text, "Queries sent")),
        completed=int(_number(text, "Queries completed")),
        lost=int(_number(text, "Queries lost")),
        not_answered_well=others,
        seconds=_number(text, r"Run time \(s\)"),
        average_ms=float(latency[1]) * 1e3,
        max_ms=float(latency[2]) * 1e3,
        answer_size=int(size[1]),
    )


def _number(text, key):
    match = re.search(rf"{key}:\s+([\d.]+)", text)
    if match is None:
        raise Failure(f"dnsperf printed no {key}:\n{text}")
    return float(match[1])
