"""The program behind lb-bench/scrape: the cost of /metrics and /stats with thousands of backends."""

import argparse
import threading
import time
import urllib.request
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from harness import backends, ballast, conditions, ports, procfs, report, wrk
from harness.peers import ballast_version
from harness.workplace import Failure, Workplace, run_program, say

CPU_BAR = 2.0
MEMORY_BAR = 20e6

_POOLS = 10
# The JIT keeps compiling for a while after the load on every backend; that is not the cost of a scrape.
_QUIET_CPU = 0.1
_QUIET_SECONDS = 5
_MAX_SECONDS_TO_QUIET = 90
_WATCH_SECONDS = 0.02
_PIECE = 64 * 1024
_TIMEOUT_SECONDS = 60
# The CPU includes the dashboard's own sample each second.
_ANSWERS = (("/metrics", False), ("/metrics", True), ("/stats", False), ("/stats", True))
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("scrape", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="scrape",
        description="Measures CPU, bytes and memory of /metrics and /stats, plain and compressed, with thousands of backends.",
    )
    parser.add_argument("--backends", type=int, default=10_000, help="number of backends, in ten pools (%(default)s)")
    parser.add_argument("--starts", type=int, default=3, help="number of starts (%(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="requests of each kind per start (%(default)s)")
    parser.add_argument("--per-pool", action="store_true", help="histograms per pool only (dashboard.histograms)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


@dataclass
class Answer:
    """One kind of response, requested several times."""

    path: str
    gzip: bool
    wire_bytes: int = 0
    text_bytes: int = 0
    cpu: list = field(default_factory=list)
    seconds: list = field(default_factory=list)

    @property
    def name(self):
        return f"`{self.path}`{', gzip' if self.gzip else ''}"


@dataclass(frozen=True)
class Growth:
    """Resident bytes of one start: before the first request, and the maximum."""

    rest: int
    most: int

    @property
    def bytes(self):
        return self.most - self.rest


def _run(options):
    """Returns (report, whether the bars are met)."""
    answers = [Answer(*kind) for kind in _ANSWERS]
    growths = []
    with Workplace() as place:
        facts = conditions.gather()
        server = backends.NginxBackend(place, 1, host="0.0.0.0")
        server.await_ready()
        for number in range(options.starts):
            say(f"start {number + 1} of {options.starts}")
            running = _start(place, server.port, options)
            version = ballast_version(running)
            growths.append(_measure(running, answers, options))
            running.started.stop()
        facts.append(("ballast", version))
    return _report(facts, options, answers, growths), is_good(answers, growths)


def _measure(running, answers, options):
    _touch_every_backend(running)
    _await_quiet(running.started.pid)
    rest = procfs.memory_bytes(running.started.pid)
    with MemoryWatch(running.started.pid) as watch:
        for number in range(options.rounds):
            say(f"round {number + 1} of {options.rounds}")
            for answer in answers:
                _request(running, answer, options.backends)
    running.started.require_running()
    return Growth(rest, watch.most)


def is_good(answers, growths):
    """Returns whether the bars are met: the median CPU of every kind, and the memory of every start."""
    return all(each.bytes <= MEMORY_BAR for each in growths) and all(median(answer.cpu) <= CPU_BAR for answer in answers)


def _start(place, port, options):
    listen, dashboard = ports.free(), ports.free()
    text = config(options.backends, port, listen, dashboard, "per_pool" if options.per_pool else "per_backend")
    return ballast.Ballast(place, text, listen, dashboard)


def config(count, port, listen, dashboard, histograms):
    """Returns a configuration with `count` backends in ten pools, each on an address of its own in 127.0.0.0/8."""
    lines = ["listeners:", f'  - bind: "{ports.LOOPBACK}:{listen}"', "    routes:"]
    lines += [f"      - {{match: {{path: /{pool}}}, pool: p{pool}}}" for pool in range(_POOLS)]
    lines.append("pools:")
    for pool in range(_POOLS):
        # Without persistent connections, because the single server behind all addresses could not hold them.
        lines += [f"  p{pool}:", "    health: {type: none}", "    connections: {max_idle: 0}", "    backends:"]
        lines += [f'      - "{address(number)}:{port}"' for number in range(pool, count, _POOLS)]
    lines.append(f'dashboard: {{bind: "{ports.LOOPBACK}:{dashboard}", histograms: {histograms}}}')
    return "\n".join(lines) + "\n"


def address(number):
    return f"127.{1 + number // 62_500}.{number // 250 % 250}.{1 + number % 250}"


def _touch_every_backend(running):
    """Sends requests until every backend has responded, so that every backend has data."""
    say("sending requests to every backend")
    for pool in range(_POOLS):
        while not all(b["total_req_count"] for b in _pool(running, pool)):
            wrk.run(f"http://{ports.LOOPBACK}:{running.port}/{pool}", 16, 1)


def _await_quiet(pid):
    """Waits until the process has used almost no CPU for some seconds."""
    quiet, before, end = 0, procfs.cpu_seconds(pid), time.monotonic() + _MAX_SECONDS_TO_QUIET
    while quiet < _QUIET_SECONDS:
        if time.monotonic() > end:
            raise Failure(f"not idle {_MAX_SECONDS_TO_QUIET} s after the last request")
        time.sleep(1)
        now = procfs.cpu_seconds(pid)
        quiet = quiet + 1 if now - before <= _QUIET_CPU else 0
        before = now


def _pool(running, pool):
    return [b for b in running.stats()["backends"] if b["pool"] == f"p{pool}"]


def _request(running, answer, count):
    request = urllib.request.Request(f"{running.dashboard}{answer.path}")
    if answer.gzip:
        request.add_header("Accept-Encoding", "gzip")
    cpu, begin = procfs.cpu_seconds(running.started.pid), time.monotonic()
    with _opener.open(request, timeout=_TIMEOUT_SECONDS) as response:
        wire, text = _read(response)
    answer.seconds.append(time.monotonic() - begin)
    answer.cpu.append(procfs.cpu_seconds(running.started.pid) - cpu)
    answer.wire_bytes, answer.text_bytes = len(wire), len(text)
    check(answer.path, text, count)


def _read(response):
    """Returns (received bytes, decoded text)."""
    wire = b"".join(iter(lambda: response.read(_PIECE), b""))
    if response.headers.get("Content-Encoding") != "gzip":
        return wire, wire
    return wire, zlib.decompress(wire, wbits=31)


def check(path, text, count):
    """Fails unless every backend is in the response."""
    mark = b'"addr":' if path == "/stats" else b"\nballast_backend_requests_total{"
    found = text.count(mark)
    # A listener has an address too.
    if found not in (count, count + 1):
        raise Failure(f"{path}: {found} backends (expected: {count})")


class MemoryWatch:
    """Samples the maximum memory of a process. Use it as a context manager."""

    def __init__(self, session):
        self.most = 0
        self._session = session
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _run(self):
        while not self._stop.wait(_WATCH_SECONDS):
            self.most = max(self.most, procfs.memory_bytes(self._session))


def _report(facts, options, answers, growths):
    rows = [
        [
            answer.name,
            f"{answer.text_bytes / 1e6:.1f}",
            f"{answer.wire_bytes / 1e6:.1f}",
            f"{answer.cpu[0]:.2f}",
            f"{median(answer.cpu):.2f}",
            f"≤ {CPU_BAR:g}",
            f"{median(answer.seconds):.2f}",
            "met" if median(answer.cpu) <= CPU_BAR else "**not met**",
        ]
        for answer in answers
    ]
    memory = [
        [
            str(number),
            f"{each.rest / 1e6:.0f}",
            f"{each.most / 1e6:.0f}",
            f"{each.bytes / 1e6:+.1f}",
            f"≤ {MEMORY_BAR / 1e6:g}",
            "met" if each.bytes <= MEMORY_BAR else "**not met**",
        ]
        for number, each in enumerate(growths, 1)
    ]
    return "\n\n".join(
        [
            "# scrape",
            f"{options.backends:,} backends in {_POOLS} pools, all with traffic;"
            f" histograms per {'pool' if options.per_pool else 'backend'}. Starts: {options.starts}. Every document is requested {options.rounds} times per start,"
            " one after the other; the CPU is that of the whole process. The measurement begins after the process was idle for"
            f" {_QUIET_SECONDS} s. MB are 10⁶ bytes.",
            report.conditions(facts),
            report.table(["answer", "MB", "MB sent", "first CPU s", "median CPU s", "bar", "median s", ""], rows),
            "Resident memory before the first request, and the maximum:",
            report.table(["start", "MB before", "at most", "more", "bar", ""], memory),
        ]
    )
