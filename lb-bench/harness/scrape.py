"""The program behind lb-bench/scrape: what /metrics and /stats cost with very many backends."""

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
# Compilers are still at work for a while after the load that every backend had, which is not what a scrape takes.
_QUIET_CPU = 0.1
_QUIET_SECONDS = 5
_MOST_SECONDS_TO_QUIET = 90
_WATCH_SECONDS = 0.02
_PIECE = 64 * 1024
_TIMEOUT_SECONDS = 60
# Whatever else goes on is paid for by the same process: the dashboard's own sample each second.
_ANSWERS = (("/metrics", False), ("/metrics", True), ("/stats", False), ("/stats", True))
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("scrape", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="scrape",
        description="Asks Ballast for /metrics and /stats, plain and compressed, with very many backends: CPU, bytes, memory.",
    )
    parser.add_argument("--backends", type=int, default=10_000, help="how many, in ten pools (%(default)s)")
    parser.add_argument("--starts", type=int, default=3, help="how often it is started (%(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is asked for (%(default)s)")
    parser.add_argument("--per-pool", action="store_true", help="histograms of pools only (dashboard.histograms)")
    parser.add_argument("--out", type=Path, help="a file to write the report to")
    return parser


@dataclass
class Answer:
    """One kind of answer, asked for several times."""

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
    """Resident bytes of one start: before it was asked for anything, and at most while it was."""

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
    with Watch(running.started.pid) as watch:
        for number in range(options.rounds):
            say(f"round {number + 1} of {options.rounds}")
            for answer in answers:
                _ask(running, answer, options.backends)
    running.started.require_running()
    return Growth(rest, watch.most)


def is_good(answers, growths):
    """Whether the bars are met: by the median of the CPU of every kind, and by the memory of every start."""
    return all(each.bytes <= MEMORY_BAR for each in growths) and all(median(answer.cpu) <= CPU_BAR for answer in answers)


def _start(place, port, options):
    listen, dashboard = ports.free(), ports.free()
    text = config(options.backends, port, listen, dashboard, "per_pool" if options.per_pool else "per_backend")
    return ballast.Ballast(place, text, listen, dashboard)


def config(count, port, listen, dashboard, histograms):
    """A configuration with `count` backends in ten pools; each is an address of its own in 127.0.0.0/8."""
    lines = ["listeners:", f'  - bind: "{ports.LOOPBACK}:{listen}"', "    routes:"]
    lines += [f"      - {{match: {{path: /{pool}}}, pool: p{pool}}}" for pool in range(_POOLS)]
    lines.append("pools:")
    for pool in range(_POOLS):
        # No connection is kept: the server behind all these addresses would not hold as many.
        lines += [f"  p{pool}:", "    health: {type: none}", "    connections: {max_idle: 0}", "    backends:"]
        lines += [f'      - "{address(number)}:{port}"' for number in range(pool, count, _POOLS)]
    lines.append(f'dashboard: {{bind: "{ports.LOOPBACK}:{dashboard}", histograms: {histograms}}}')
    return "\n".join(lines) + "\n"


def address(number):
    return f"127.{1 + number // 62_500}.{number // 250 % 250}.{1 + number % 250}"


def _touch_every_backend(running):
    """Has every backend answer at least once, so that none is cheaper than one that works."""
    say("asking every backend")
    for pool in range(_POOLS):
        while not all(b["total_req_count"] for b in _pool(running, pool)):
            wrk.run(f"http://{ports.LOOPBACK}:{running.port}/{pool}", 16, 1)


def _await_quiet(pid):
    """Waits until the process has taken next to no CPU for some seconds."""
    quiet, before, end = 0, procfs.cpu_seconds(pid), time.monotonic() + _MOST_SECONDS_TO_QUIET
    while quiet < _QUIET_SECONDS:
        if time.monotonic() > end:
            raise Failure(f"not at rest {_MOST_SECONDS_TO_QUIET} s after the last request")
        time.sleep(1)
        now = procfs.cpu_seconds(pid)
        quiet = quiet + 1 if now - before <= _QUIET_CPU else 0
        before = now


def _pool(running, pool):
    return [b for b in running.stats()["backends"] if b["pool"] == f"p{pool}"]


def _ask(running, answer, count):
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
    """Returns (octets that came, what they mean)."""
    wire = b"".join(iter(lambda: response.read(_PIECE), b""))
    if response.headers.get("Content-Encoding") != "gzip":
        return wire, wire
    return wire, zlib.decompress(wire, wbits=31)


def check(path, text, count):
    """Fails unless every backend is in the answer."""
    mark = b'"addr":' if path == "/stats" else b"\nballast_backend_requests_total{"
    found = text.count(mark)
    # A listener has an address too.
    if found not in (count, count + 1):
        raise Failure(f"{path}: {found} backends (expected: {count})")


class Watch:
    """The most memory that a process had, looked at all the time. Use as a context."""

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
            f"{options.backends:,} backends in {_POOLS} pools, each of which has answered;"
            f" histograms per {'pool' if options.per_pool else 'backend'}. Starts: {options.starts}. Every answer is asked for {options.rounds} times in each,"
            " one after the other; the CPU is that of the whole process meanwhile. It begins once the process has been at rest for"
            f" {_QUIET_SECONDS} s. MB are 10⁶ bytes.",
            report.conditions(facts),
            report.table(["answer", "MB", "MB sent", "first CPU s", "median CPU s", "bar", "median s", ""], rows),
            "Resident memory, before and at most during all of this:",
            report.table(["start", "MB before", "at most", "more", "bar", ""], memory),
        ]
    )
