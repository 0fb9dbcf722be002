"""Runs h2load, a closed loop over HTTP/2, and parses its figures; the request times come from its log."""

import re
import shutil
import subprocess

from harness import wrk
from harness.workplace import Failure

_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


def is_installed():
    return shutil.which("h2load") is not None


def is_ok(url):
    """Whether one request over HTTP/2 is answered with a status 2xx."""
    done = subprocess.run(["h2load", "-n1", "-c1", url], capture_output=True, text=True, timeout=10, check=False)
    return "status codes: 1 2xx" in done.stdout


def run(place, url, clients, streams, seconds, headers=(), body=None):
    """Runs `streams` concurrent requests on each of `clients` connections. Returns a wrk.Load."""
    log = place.directory / "h2load.log"
    log.unlink(missing_ok=True)
    command = ["h2load", "-t1", f"-c{clients}", f"-m{streams}", f"-D{seconds}", f"--log-file={log}"]
    for header in headers:
        command += ["-H", header]
    if body:
        command += ["-d", str(body)]
    done = subprocess.run([*command, url], capture_output=True, text=True, timeout=seconds + 60, check=False)
    if done.returncode != 0:
        raise Failure(f"h2load exited with {done.returncode}: {done.stderr.strip() or done.stdout.strip()}")
    return parse(done.stdout, log.read_text())


def parse(text, log):
    """Parses h2load's output and its log: start, status and microseconds of each request."""
    finished = re.search(r"finished in ([\d.]+)(us|ms|s),", text)
    counts = re.search(r"(\d+) done, (\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout", text)
    traffic = re.search(r"\((\d+)\) total", text)
    statuses = re.search(r"status codes: (\d+) 2xx", text)
    if not (finished and counts and traffic and statuses):
        raise Failure(f"h2load printed no figures:\n{text}")
    done, succeeded, _, errored, timeout = map(int, counts.groups())
    times = sorted(int(line.split()[2]) for line in log.splitlines())
    return wrk.Load(
        requests=int(statuses[1]),
        seconds=float(finished[1]) * _UNITS[finished[2]],
        bytes=int(traffic[1]),
        errors={"status": max(0, done - int(statuses[1]) - errored - timeout), "stream": errored, "timeout": timeout},
        p50=percentile(times, 0.5),
        p99=percentile(times, 0.99),
        p99_9=percentile(times, 0.999),
        max=percentile(times, 1),
        text=text,
    )


def percentile(times, share):
    """Returns a percentile in milliseconds of sorted microseconds."""
    return times[min(len(times) - 1, int(len(times) * share))] / 1e3 if times else 0.0
