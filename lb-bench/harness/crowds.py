"""Thousands of slow clients at once: their memory must be bounded, and a normal client must not be affected."""

import json
import resource
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from harness import backends, ballast, certificate, ports, procfs, report, wrk
from harness.workplace import Failure, await_true, say

_NORMAL_CONNECTIONS = 16
_MAX_P99_MS = 50.0
_MAX_RESIDENT_MB = 350
_GRACE_SECONDS = 10
_OPEN_SECONDS = 120
_ARRIVAL_SECONDS = 10
# An upload that the backend does not read ends by `response_timeout`, 60 s after the last write: a client's close
# cannot be seen behind its unread data.
_QUIET_SECONDS = 150
# Ballast needs two descriptors per slow client, and some for itself.
_OWN_DESCRIPTORS = 300
_PROGRAM = Path(__file__).with_name("crowd.py")

TRANSPORTS = ("io_uring", "epoll", "nio")


@dataclass(frozen=True)
class CrowdScenario:
    name: str
    kind: str
    path: str
    count: int
    # Descriptors of Ballast per client.
    descriptors: int = 2
    is_tls: bool = False


READERS = CrowdScenario("responses of 16 MiB, read at 512 bytes/s", "readers", "/16m", 10_000)
UPLOADERS = CrowdScenario("uploads to a backend that never reads", "uploaders", "/upload", 5_000)
STREAMS = CrowdScenario("HTTP/2, 100 responses of 16 MiB each, with a closed window", "streams", "/16m", 20, descriptors=101)
HANDSHAKES = CrowdScenario("TLS handshakes, one byte per second", "handshakes", "/", 5_000, descriptors=1, is_tls=True)


@dataclass(frozen=True)
class CrowdRun:
    """The figures of Ballast during and after the load; `leftovers` are gauges that did not return to zero."""

    opened: int
    ended: int
    arrival: wrk.Load
    normal: wrk.Load
    resident_mb: float
    shed: int
    blamed: int
    leftovers: dict
    quiet_seconds: float | None
    stop_seconds: float | None


def possible(scenario, count):
    """Returns the number of slow clients that the descriptor limit of a process allows, at most `count`."""
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return min(count, (descriptors - _OWN_DESCRIPTORS) // scenario.descriptors)


def run(place, transport, scenario, count, seconds):
    """Returns a row of the report and the problems."""
    say(f"{transport}: {count:,} {scenario.kind}")
    # The kernel limits the memory of all TCP connections together (net.ipv4.tcp_mem). Backends on the same machine,
    # which Ballast cannot limit, must leave some of it.
    servers = backends.start(place, count=4, listen=" sndbuf=32k")
    sink = start_sink(place)
    made = certificate.make(place)
    tls_port = ports.free()
    values = {
        "transport": transport,
        "grace": f"{_GRACE_SECONDS}s",
        "sink": f"{ports.LOOPBACK}:{sink.port}",
        "tls_port": tls_port,
        "certificate": made.certificate,
        "key": made.key,
    }
    config, port, dashboard_port = ballast.config("slow/crowds.yaml", values, servers)
    running = ballast.Ballast(place, config, port, dashboard_port, name=f"ballast-{transport}-{scenario.kind}")
    try:
        wrk.run(f"http://{ports.LOOPBACK}:{port}/", _NORMAL_CONNECTIONS, seconds)
        seen = _watch(place, running, scenario, tls_port if scenario.is_tls else port, count, seconds)
    finally:
        running.started.stop()
        sink.started.stop()
        for server in servers:
            server.started.stop()
    wrong = problems(seen, count)
    return _row(transport, scenario, seen, wrong), wrong


def _watch(place, running, scenario, port, count, seconds):
    with _ConcurrentLoad(running.port) as concurrent:
        crowd = Crowd(place, scenario.kind, port, count, scenario.path)
        crowd.await_open(_OPEN_SECONDS)
        await_true(lambda: _accepted(running) >= count, "Ballast to have accepted them all", _OPEN_SECONDS, crowd.started)
    normal = wrk.run(f"http://{ports.LOOPBACK}:{running.port}/", _NORMAL_CONNECTIONS, seconds)
    running.started.require_running()
    resident = procfs.memory_bytes(running.started.pid, "VmHWM") / 1e6
    stats = running.stats()
    ended = crowd.stop()
    leftovers, quiet_seconds = _await_quiet(running)
    rest = Crowd(place, scenario.kind, port, min(count, 500), scenario.path)
    rest.await_open(_OPEN_SECONDS)
    stop_seconds = _stop(running)
    rest.stop()
    return CrowdRun(
        opened=count,
        ended=ended,
        arrival=concurrent.load,
        normal=normal,
        resident_mb=resident,
        shed=stats["listeners"][0]["failures"].get("shed", 0),
        blamed=sum(_blamed(backend) for backend in stats["backends"]),
        leftovers=leftovers,
        quiet_seconds=quiet_seconds,
        stop_seconds=stop_seconds,
    )


class _ConcurrentLoad:
    """A normal client that runs before and during the load. Use it as a context manager."""

    def __init__(self, port):
        self.load = None
        self._thread = threading.Thread(target=self._run, args=(port,))

    def _run(self, port):
        self.load = wrk.run(f"http://{ports.LOOPBACK}:{port}/", _NORMAL_CONNECTIONS, _ARRIVAL_SECONDS)

    def __enter__(self):
        self._thread.start()
        time.sleep(1)
        return self

    def __exit__(self, *_):
        self._thread.join()


def _accepted(running):
    stats = running.stats()
    return 0 if stats is None else sum(listener["connections_open"] for listener in stats["listeners"])


def _blamed(backend):
    errors = backend.get("errors", {})
    return sum(errors.values()) if isinstance(errors, dict) else 0


def gauges(stats):
    """Returns gauges that must be 0 without clients."""
    found = {f"connections of {listener['name']}": listener["connections_open"] for listener in stats["listeners"]}
    for backend in stats["backends"]:
        found[f"in flight at {backend['addr']}"] = backend["in_flight"]
    return {name: value for name, value in found.items() if value}


def _await_quiet(running):
    """Returns (gauges that are not 0, seconds until all were)."""
    begin = time.monotonic()
    while time.monotonic() - begin < _QUIET_SECONDS:
        stats = running.stats()
        left = {"no answer": 1} if stats is None else gauges(stats)
        if not left:
            return {}, time.monotonic() - begin
        time.sleep(0.2)
    return left, None


def _stop(running):
    """Sends SIGTERM; returns the seconds until the process exited, None if it exceeded its grace period."""
    begin = time.monotonic()
    running.started.terminate()
    while time.monotonic() - begin < _GRACE_SECONDS + 10:
        if not running.started.is_running():
            return time.monotonic() - begin
        time.sleep(0.05)
    return None


class Crowd:
    def __init__(self, place, kind, *arguments):
        self.started = place.start(f"crowd-{kind}", [sys.executable, _PROGRAM, kind, *arguments])

    def _lines_with(self, word):
        lines = Path(self.started.log).read_text().splitlines()
        return [line for line in lines if line.startswith(word)]

    def await_open(self, seconds):
        before = len(self._lines_with("{"))
        await_true(lambda: len(self._lines_with("open")) > before, "the slow clients to be connected", seconds, self.started)

    def stop(self):
        """Stops the clients; returns how many of their connections the other side had closed."""
        self.started.terminate()
        end = time.monotonic() + 30
        while self.started.is_running() and time.monotonic() < end:
            time.sleep(0.05)
        self.started.kill()
        results = self._lines_with("{")
        if not results:
            raise Failure(f"the slow clients reported no result:\n{self.started.log_tail()}")
        return json.loads(results[-1])["ended"]


class _Sink(Crowd):
    def __init__(self, place, port):
        super().__init__(place, "sink", port)
        self.port = port


def start_sink(place):
    sink = _Sink(place, ports.free())
    sink.await_open(10)
    return sink


def problems(seen, count):
    found = [
        f"{number} {kind} errors of the normal client"
        for load in (seen.arrival, seen.normal)
        for kind, number in load.errors.items()
        if number
    ]
    if seen.normal.p99 > _MAX_P99_MS:
        found.append(f"p99 of the normal client {seen.normal.p99:.1f} ms (expected: <= {_MAX_P99_MS:g} ms)")
    if seen.resident_mb > _MAX_RESIDENT_MB:
        found.append(f"{seen.resident_mb:.0f} MB resident (expected: <= {_MAX_RESIDENT_MB} MB)")
    if seen.opened < count:
        found.append(f"only {seen.opened} of {count} were there")
    if seen.blamed:
        found.append(f"{seen.blamed} failures were attributed to backends")
    found += [f"{name}: {value} afterwards" for name, value in seen.leftovers.items()]
    if seen.stop_seconds is None:
        found.append(f"the process did not exit within its grace period of {_GRACE_SECONDS} s")
    return found


HEADER = [
    "transport", "slow clients", "at once", "closed by Ballast", "shed", "resident MB",
    "p99 ms while they connect", "normal requests/s", "p99 ms", "errors", "gauges at 0 after s", "exited after SIGTERM s", "",
]  # fmt: skip


def _row(transport, scenario, seen, wrong):
    return [
        transport,
        scenario.name,
        f"{seen.opened:,}",
        f"{seen.ended:,}",
        f"{seen.shed:,}",
        f"{seen.resident_mb:.0f}",
        f"{seen.arrival.p99:.1f}",
        f"{seen.normal.rate:,.0f}",
        f"{seen.normal.p99:.1f}",
        str(seen.arrival.failed + seen.normal.failed),
        "never" if seen.quiet_seconds is None else f"{seen.quiet_seconds:.0f}",
        "never" if seen.stop_seconds is None else f"{seen.stop_seconds:.1f}",
        f"**{'; '.join(wrong)}**" if wrong else "met",
    ]


def table(rows):
    return report.table(HEADER, rows)
