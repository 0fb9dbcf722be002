"""Runs bombardier and parses its summary."""

import re
import shutil
import subprocess
from dataclasses import dataclass

from harness.workplace import Failure

_TIME = {"us": 1e-3, "ms": 1.0, "s": 1e3, "m": 6e4}


@dataclass(frozen=True)
class Summary:
    rate: float
    average_ms: float
    max_ms: float
    codes: dict
    others: int

    @property
    def ok(self):
        return self.codes["2xx"]

    @property
    def failed(self):
        return sum(self.codes.values()) - self.ok + self.others


def is_installed():
    return shutil.which("bombardier") is not None


def run(url, connections, seconds, headers=()):
    """Returns (summary, output)."""
    command = ["bombardier", "-c", str(connections), "-d", f"{seconds}s", "--print", "intro,result"]
    for header in headers:
        command += ["-H", header]
    done = subprocess.run([*command, url], capture_output=True, text=True, timeout=seconds + 60)
    if done.returncode != 0:
        raise Failure(f"bombardier exited with {done.returncode}: {done.stderr.strip()}")
    return parse(done.stdout), done.stdout.strip()


def parse(text):
    rate = re.search(r"Reqs/sec\s+([\d.]+)", text)
    latency = re.search(r"Latency\s+(\S+)\s+\S+\s+(\S+)", text)
    codes = dict(re.findall(r"(\dxx) - (\d+)", text))
    others = re.search(r"others - (\d+)", text)
    if not (rate and latency and others and len(codes) == 5):
        raise Failure(f"cannot parse the output of bombardier:\n{text}")
    return Summary(
        rate=float(rate[1]),
        average_ms=_milliseconds(latency[1]),
        max_ms=_milliseconds(latency[2]),
        codes={code: int(count) for code, count in codes.items()},
        others=int(others[1]),
    )


def _milliseconds(text):
    value, unit = re.fullmatch(r"([\d.]+)([a-z]+)", text).groups()
    return float(value) * _TIME[unit]
