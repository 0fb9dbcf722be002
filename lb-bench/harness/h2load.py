"""Runs h2load at a fixed rate and reads its log."""

import re
import shutil
import subprocess
from dataclasses import dataclass

from harness.workplace import Failure

# h2load looks at a client's schedule at most every 10 ms, and sends what is due in one burst: up to this rate for each
# client a burst is one request.
_CLIENT_RATE = 80


@dataclass(frozen=True)
class FixedRate:
    """Times in milliseconds."""

    asked: float
    reached: float
    failed: int
    p50: float
    p99: float
    max: float


def is_installed():
    return shutil.which("h2load") is not None


def run(url, rate, seconds, log):
    """Sends `rate` requests per second over HTTP/1.1, whether earlier ones were answered or not."""
    clients = max(16, round(rate / _CLIENT_RATE))
    per_client = max(1, round(rate / clients))
    log.unlink(missing_ok=True)
    command = ["h2load", "--h1", f"-c{clients}", "-t1", f"-D{seconds}", f"--rps={per_client}", f"--log-file={log}", url]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60)
    if done.returncode != 0:
        raise Failure(f"h2load ended with {done.returncode}: {done.stderr.strip()}")
    return summarize(per_client * clients, seconds, parse_failed(done.stdout), log.read_text())


def parse_failed(text):
    """Requests that h2load calls failed, errored or timed out, and those with another status than 2xx."""
    counts = re.search(r"(\d+) failed, (\d+) errored, (\d+) timeout", text)
    codes = re.search(r"status codes: \d+ 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx", text)
    if not (counts and codes):
        raise Failure(f"h2load printed something else than expected:\n{text}")
    # A response with an error status is among the failed ones too.
    return max(sum(map(int, counts.groups())), sum(map(int, codes.groups())))


def summarize(asked, seconds, failed, log):
    """Reads lines of `start, status, microseconds`."""
    times = sorted(int(line.split("\t")[2]) for line in log.splitlines() if line)
    if not times:
        raise Failure("h2load logged no request")
    return FixedRate(
        asked=asked,
        reached=len(times) / seconds,
        failed=failed,
        p50=percentile(times, 0.5) / 1e3,
        p99=percentile(times, 0.99) / 1e3,
        max=times[-1] / 1e3,
    )


def percentile(ordered, share):
    """The smallest value that at least this share of the values does not exceed."""
    rank = -int(-share * len(ordered) // 1)
    return ordered[max(0, rank - 1)]
