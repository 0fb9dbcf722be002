"""The program behind lb-bench/footprint: start-up time and memory of Ballast."""

import argparse
import time
from pathlib import Path
from statistics import median

from harness import backends, ballast, certificate, conditions, histogram, idle, javas, launches, ports, report, wrk
from harness.workplace import Failure, Workplace, run_program, say

IDLE_BAR, IDLE_AIM = 110e6, 90e6
LOADED_BAR, LOADED_AIM = 130e6, 110e6
START_BAR, START_AIM = 1.0, 0.4
SECURE_BAR = 40 * 1024

_REST_SECONDS = 5
_SETTLE_SECONDS = 1
_CLASSES = 15


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("footprint", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="footprint", description="Measures the time to readiness, with and without a class data archive, and resident memory."
    )
    parser.add_argument("--java", type=javas.majors, default=(), help="versions such as 17,25 (all that are found)")
    parser.add_argument("--starts", type=int, default=7, help="starts of each kind, interleaved (%(default)s)")
    parser.add_argument("--connections", type=int, default=1000, help="connections under load (%(default)s)")
    parser.add_argument("--idle", type=int, default=10_000, help="idle keep-alive connections (%(default)s)")
    parser.add_argument("--secure", type=int, default=5000, help="idle connections over TLS (%(default)s)")
    parser.add_argument("--seconds", type=int, default=10, help="length of the load (%(default)s)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


def _run(options):
    found = javas.find(options.java)
    kinds = [launch for java in found for launch in launches.of(java)]
    idle_count = min(options.idle, idle.most_connections())
    facts = conditions.gather()
    for java in found:
        ballast.make_archive(java)
    with Workplace() as place:
        servers = backends.start(place)
        starts = _measure_starts(place, servers, kinds, options.starts)
        memory = {kind: _measure_memory(place, servers, kind, options, idle_count) for kind in kinds}
        secure_count = min(options.secure, idle.most_connections())
        secure = {kind: _measure_secure(place, servers, kind, secure_count) for kind in kinds if kind.uses_archive}
    good = all(
        _median(starts[kind], "seconds") <= START_BAR
        and memory[kind].idle <= IDLE_BAR
        and memory[kind].loaded <= LOADED_BAR
        for kind in kinds
        if kind.uses_archive
    ) and all(figures.each <= SECURE_BAR for figures in secure.values())
    return _report(facts, kinds, starts, memory, secure, options, idle_count), good


def _started(place, servers, kind, template="ballast.yaml", values=None):
    config, port, dashboard_port = ballast.config(template, values or {}, servers)
    return launches.StartedBallast(place, kind, config, dashboard_port), port


def _measure_starts(place, servers, kinds, count):
    starts = {kind: [] for kind in kinds}
    for number in range(count):
        say(f"starts, round {number + 1} of {count}")
        # Each round starts with a different kind.
        for kind in kinds[number % len(kinds) :] + kinds[: number % len(kinds)]:
            with _started(place, servers, kind)[0] as running:
                starts[kind].append(running)
    return starts


class Memory:
    """Resident bytes: idle, with idle connections, under load; and the heap growth per idle connection."""

    def __init__(self, idle, crowded, loaded, requests, heap_growth):
        self.idle = idle
        self.crowded = crowded
        self.loaded = loaded
        self.requests = requests
        self.heap_growth = heap_growth


def _measure_memory(place, servers, kind, options, idle_count):
    say(f"memory of {kind.name} on Java {kind.java.major}")
    running, port = _started(place, servers, kind)
    with running:
        time.sleep(_REST_SECONDS)
        at_rest = running.resident()
        before = histogram.live(kind.java, running.process.pid)
        with idle.IdleConnections(port, idle_count):
            time.sleep(_SETTLE_SECONDS)
            crowded = running.resident()
            after = histogram.live(kind.java, running.process.pid)
    running, port = _started(place, servers, kind)
    with running:
        load = wrk.run(f"http://{ports.LOOPBACK}:{port}/", options.connections, options.seconds)
        loaded = running.resident()
    if load.failed:
        raise Failure(f"{kind.name}: {load.failed} requests failed: {load.errors}")
    growth = histogram.growth(before, after, idle_count) if before and after else None
    return Memory(at_rest, crowded, loaded, load.requests, growth)


class Secure:
    """Resident bytes: idle, with idle TLS connections, and per connection."""

    def __init__(self, idle, crowded, count):
        self.idle = idle
        self.crowded = crowded
        self.count = count
        self.each = (crowded - idle) / count


def _measure_secure(place, servers, kind, count):
    say(f"idle connections over TLS of {kind.name} on Java {kind.java.major}")
    made = certificate.make(place)
    values = {"certificate": made.certificate, "key": made.key}
    running, port = _started(place, servers, kind, "tls/ballast.yaml", values)
    with running:
        time.sleep(_REST_SECONDS)
        at_rest = running.resident()
        with idle.IdleConnections(port, count, is_secure=True):
            time.sleep(_SETTLE_SECONDS)
            return Secure(at_rest, running.resident(), count)


def _median(runs, figure):
    return median(getattr(run, figure) for run in runs)


def _report(facts, kinds, starts, memory, secure, options, idle_count):
    parts = [
        "# footprint",
        f"Four backends. Medians of {options.starts} starts of each kind, interleaved; ready means the first 200 of /readyz."
        f" Loaded: {options.connections} connections by wrk for {options.seconds} s right after a start. MB are 10⁶ bytes.",
        report.conditions(facts),
        "## Start to ready",
        _start_table(kinds, starts),
        "## Resident memory",
        _memory_table(kinds, memory, idle_count),
        "## Idle connections over TLS",
        _secure_table(secure),
    ]
    grown = [kind for kind in kinds if kind.uses_archive and memory[kind].heap_growth]
    if grown:
        parts += ["## Heap of one idle connection", _heap_table(grown[-1], memory[grown[-1]].heap_growth)]
    return "\n\n".join(parts)


def _start_table(kinds, starts):
    rows = []
    for kind in kinds:
        seconds = [run.seconds for run in starts[kind]]
        rows.append(
            [
                str(kind.java.major),
                kind.name,
                f"{median(seconds):.2f} ({min(seconds):.2f}–{max(seconds):.2f})",
                f"{_median(starts[kind], 'cpu'):.2f}",
                f"{_median(starts[kind], 'rss') / 1e6:.0f}",
                _result(median(seconds), START_BAR, START_AIM),
            ]
        )
    header = ["Java", "started by", "seconds", "CPU seconds", "RSS MB at ready", f"bar ≤ {START_BAR:g} s, aim {START_AIM:g}"]
    return report.table(header, rows)


def _memory_table(kinds, memory, idle_count):
    rows = []
    for kind in kinds:
        figures = memory[kind]
        each = (figures.crowded - figures.idle) / idle_count
        heap = "–" if figures.heap_growth is None else f"{sum(row[2] for row in figures.heap_growth) / 1024:.2f}"
        rows.append(
            [
                str(kind.java.major),
                kind.name,
                f"{figures.idle / 1e6:.0f}",
                _result(figures.idle, IDLE_BAR, IDLE_AIM),
                f"{figures.loaded / 1e6:.0f}",
                _result(figures.loaded, LOADED_BAR, LOADED_AIM),
                f"{figures.crowded / 1e6:.0f}",
                f"{each / 1024:.2f}",
                heap,
            ]
        )
    header = [
        *("Java", "started by", "idle", f"≤ {IDLE_BAR / 1e6:.0f}, aim {IDLE_AIM / 1e6:.0f}"),
        *("loaded", f"≤ {LOADED_BAR / 1e6:.0f}, aim {LOADED_AIM / 1e6:.0f}"),
        *(f"{idle_count:,} idle connections", "KiB each", "live heap of it"),
    ]
    return report.table(header, rows)


def _secure_table(secure):
    rows = [
        [
            str(kind.java.major),
            kind.name,
            f"{figures.count:,}",
            f"{figures.idle / 1e6:.0f}",
            f"{figures.crowded / 1e6:.0f}",
            f"{figures.each / 1024:.1f}",
            "met" if figures.each <= SECURE_BAR else "**not met**",
        ]
        for kind, figures in secure.items()
    ]
    header = ["Java", "started by", "connections", "MB before", "MB with them", "KiB each", f"bar ≤ {SECURE_BAR // 1024} KiB"]
    return report.table(header, rows)


def _result(value, bar, aim):
    if value <= aim:
        return "met, also the aim"
    return "met" if value <= bar else "**not met**"


def _heap_table(kind, growth):
    rows = [[f"`{name}`", f"{count:.2f}", f"{size:.0f}"] for name, count, size in growth[:_CLASSES]]
    rows.append(["all", "", f"{sum(row[2] for row in growth):.0f}"])
    title = f"Java {kind.java.major}, {kind.name}: live objects as the difference of two histograms."
    return title + "\n\n" + report.table(["class", "instances", "bytes"], rows)
