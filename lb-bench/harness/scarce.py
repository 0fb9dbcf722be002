"""Thousands of stalled uploads and slow readers while CPU is scarce, compared with HAProxy: is a normal client
affected?"""

import time
from contextlib import ExitStack
from dataclasses import dataclass

from harness import backends, ballast, conditions, crowds, loopback, peers, ports, procfs, report, rounds, thread_stop
from harness.cgroups import CpuGroup
from harness.probes import LIMIT_SECONDS, Prober, Probes
from harness.template import fill_peer
from harness.workplace import Workplace, await_true, say

# The share of one core that a balancer may use in the group.
SHARE = 0.25
# Number of busy loops that load the machine if no control group is available.
BURNERS = 20
COUNT = 3_000

# Ballast may use this multiple of the CPU, and its median probe may take this multiple of the time.
_MAX_RATIO = 2.0
# Medians below this are considered equal: both are as fast as scheduling allows.
_ALWAYS_MS = 50.0

_START_SECONDS = 120
_OPEN_SECONDS = 180
_SETTLE_SECONDS = 12
_HOLD_SECONDS = 15
_AFTER_SECONDS = 10
# A thread may hang for 10 s, ten times longer in a process that gets no CPU; then the process has 8 s to exit.
_HANG_SECONDS = 120
# The exit code of a process that lost a thread: EX_SOFTWARE.
_THREAD_FAILURE_EXIT_CODE = 70

UPLOADS = crowds.CrowdScenario("stalled uploads", "uploaders", "/upload", COUNT)
READERS = crowds.CrowdScenario("slow readers", "readers", "/16m", COUNT)
SCENARIOS = (UPLOADS, READERS)

PEERS = ("ballast-io_uring", "ballast-epoll", "haproxy")
LIMITS = ("group", "load")


@dataclass(frozen=True)
class ScarceRun:
    """The figures of one balancer in one round. CPU in seconds: while the clients connected and stayed, and after all
    left at once."""

    peer: str
    scenario: str
    limit: str
    during: Probes
    after: Probes
    cpu_during: float
    cpu_after: float
    lives: bool

    @property
    def probes(self):
        return self.during + self.after

    @property
    def cpu(self):
        return self.cpu_during + self.cpu_after


def run(options):
    """Returns (report, whether every bar was met)."""
    facts = conditions.gather()
    limits = options.limits.split(",")
    kinds = options.kinds.split(",")
    why_not = CpuGroup.why_not()
    if why_not and "group" in limits:
        say(f"slow-clients: no control group, {why_not}; using busy loops instead")
        limits = ["load"]
    seen = []
    for number in range(options.rounds):
        for limit in limits:
            for scenario in (each for each in SCENARIOS if each.kind in kinds):
                for peer in rounds.rotated(options.peers.split(","), number):
                    one = _one(peer, scenario, limit, options)
                    seen.append(one)
                    say(f"round {number + 1}: {' | '.join(_row(one))}")
    ours = [peer for peer in options.peers.split(",") if peer != "haproxy"]
    hangs = _hang(ours[0], limits[0]) if ours and options.hang else None
    facts.append(("haproxy", conditions.tool_version(["haproxy", "-v"])))
    wrong = problems(seen) + hang_problems(hangs)
    return _report(facts, seen, hangs, wrong, options), not wrong


def problems(seen):
    """Returns the missed bars: share of failed probes relative to HAProxy, median probe, CPU."""
    found = []
    for limit, scenario, peer in _groups(seen):
        ours, theirs = _of(seen, limit, scenario, peer), _of(seen, limit, scenario, "haproxy")
        if peer == "haproxy" or not theirs:
            continue
        name = f"{peer}, {scenario}, {limit}"
        if not all(one.lives for one in ours):
            found.append(f"{name}: the process exited")
        failed, allowed = _failed_share(ours), _failed_share(theirs)
        if failed > allowed:
            found.append(f"{name}: {failed:.1%} of the probes failed, {allowed:.1%} of HAProxy's")
        median, other = _median(ours), _median(theirs)
        if median is not None and other is not None and median > max(_MAX_RATIO * other, _ALWAYS_MS):
            found.append(f"{name}: median probe {median:.0f} ms, HAProxy's {other:.0f} ms")
        cpu, least = sum(one.cpu for one in ours) / len(ours), sum(one.cpu for one in theirs) / len(theirs)
        if cpu > _MAX_RATIO * least:
            found.append(f"{name}: {cpu:.2f} s of CPU, HAProxy's {least:.2f} s")
    return found


def hang_problems(hangs):
    """Returns whether a process survived the hang of one of its event loops; `hangs` is (exit code or None, seconds),
    or None."""
    if hangs is None or hangs[0] == _THREAD_FAILURE_EXIT_CODE:
        return []
    return [f"a thread was stopped permanently, and the process {'kept running' if hangs[0] is None else f'exited with {hangs[0]}'}"]


def _groups(seen):
    return list(dict.fromkeys((one.limit, one.scenario, one.peer) for one in seen))


def _of(seen, limit, scenario, peer):
    return [one for one in seen if (one.limit, one.scenario, one.peer) == (limit, scenario, peer)]


def _failed_share(ones):
    count = sum(one.probes.count for one in ones)
    return sum(one.probes.failed for one in ones) / count if count else 1.0


def _median(ones):
    return sum((one.probes for one in ones), Probes((), 0)).median_ms


def _one(peer, scenario, limit, options):
    with Workplace() as place, ExitStack() as stack:
        servers = backends.start(place, count=2, listen=" sndbuf=32k")
        sink = crowds.start_sink(place)
        group = stack.enter_context(CpuGroup("ballast-bench", SHARE)) if limit == "group" else None
        started, port = start(place, peer, group, servers, sink)
        # JIT code and backend connections must exist, as in a balancer that has run for a while.
        time.sleep(_SETTLE_SECONDS)
        if limit == "load":
            burners = [place.start(f"burner-{i}", ["/bin/sh", "-c", "while :; do :; done"]) for i in range(BURNERS)]
            stack.callback(lambda: [burner.kill() for burner in burners])
        # Started after the group, so stopped before the group is removed.
        stack.callback(started.kill)
        before = procfs.cpu_seconds(started.pid)
        prober = Prober(port)
        prober.start()
        crowd = crowds.Crowd(place, scenario.kind, port, options.count, scenario.path)
        crowd.await_open(_OPEN_SECONDS)
        time.sleep(_HOLD_SECONDS)
        during = prober.stop()
        half = procfs.cpu_seconds(started.pid) if started.is_running() else before
        crowd.started.kill()
        prober = Prober(port)
        prober.start()
        time.sleep(_AFTER_SECONDS)
        after = prober.stop()
        alive = started.is_running()
        end = procfs.cpu_seconds(started.pid) if alive else half
        if not alive:
            say(started.log_tail())
        return ScarceRun(peer, scenario.name, limit, during, after, half - before, end - half, alive)


def _hang(peer, limit):
    """Stops one event loop of a process that is short of CPU; returns (exit code or None, seconds)."""
    with Workplace() as place, ExitStack() as stack:
        servers = backends.start(place, count=1)
        sink = crowds.start_sink(place)
        group = stack.enter_context(CpuGroup("ballast-bench", SHARE)) if limit == "group" else None
        started, _ = start(place, peer, group, servers, sink)
        stack.callback(started.kill)
        begin = time.monotonic()
        thread = thread_stop.stop(started.pid, "worker-")
        while started.is_running() and time.monotonic() - begin < _HANG_SECONDS:
            thread_stop.release_if_dead(thread)
            time.sleep(0.1)
        return started.exit_code(), time.monotonic() - begin


def start(place, peer, group, servers, sink, environment=None):
    """Returns (process, port) of a balancer that responds; it runs in a control group unless `group` is None."""
    port = ports.free()
    address = f"{ports.LOOPBACK}:{sink.port}"
    if peer == "haproxy":
        lines = "\n".join(f"    server {server.name} {server.address}" for server in servers)
        values = {"port": port, "cores": peers.cores(), "sink": address, "backends": lines}
        text = fill_peer("slow/scarce-haproxy.cfg", values)
        command = ["haproxy", "-db", "-f", place.write("haproxy.cfg", text)]
    else:
        values = {"transport": peer.split("-", 1)[1], "sink": address}
        text, port, _ = ballast.config("slow/scarce-ballast.yaml", values, servers)
        ballast.build()
        command = ballast.lb("run", place.write("ballast.yaml", text))
    words = [str(word) for word in command]
    started = place.start(peer, group.command(words) if group else words, environment)
    url = f"http://{ports.LOOPBACK}:{port}/"
    await_true(lambda: loopback.is_ok(url), f"{peer} to answer", _START_SECONDS, started)
    return started, port


def _row(one):
    def latency(probes):
        if not probes.seconds:
            return "–"
        return f"{probes.median_ms:.0f} / {max(probes.seconds) * 1000:.0f}"

    return [
        _LIMIT_NAMES[one.limit],
        one.scenario,
        one.peer,
        f"{one.during.failed} of {one.during.count}",
        latency(one.during),
        f"{one.after.failed} of {one.after.count}",
        latency(one.after),
        f"{one.cpu_during:.2f}",
        f"{one.cpu_after:.2f}",
        "runs" if one.lives else "**ended**",
    ]


_LIMIT_NAMES = {"group": f"{SHARE:.0%} of a CPU", "load": f"load of {BURNERS}"}

HEADER = [
    "limit", "slow clients", "balancer", "failed probes while they are there", "ms, median / most",
    "failed after they left", "ms, median / most", "CPU s while they are there", "CPU s after", "process",
]  # fmt: skip


def _hang_line(hangs):
    if hangs is None:
        return "No thread was stopped."
    code, seconds = hangs
    ended = "it did not exit" if code is None else f"it exited with code {code} after {seconds:.0f} s"
    return f"A process under the same limit with one stopped event loop: {ended} (expected: code {_THREAD_FAILURE_EXIT_CODE})."


def _report(facts, seen, hangs, wrong, options):
    in_order = [one for group in _groups(seen) for one in _of(seen, *group)]
    return "\n\n".join(
        [
            "# slow-clients --scarce",
            f"{options.count:,} slow clients connect at once, stay, and all disconnect at once, while the balancer may use {SHARE:.0%} of one"
            f" CPU (a control group), or while {BURNERS} busy loops use the same cores. A normal client probes on new"
            f" connections, one after the other; a probe fails after {LIMIT_SECONDS:g} s. Bars relative to HAProxy in the same rounds: no"
            f" larger share of failed probes; the median probe within {_MAX_RATIO:g} times, or {_ALWAYS_MS:g} ms; CPU within"
            f" {_MAX_RATIO:g} times.",
            report.conditions(facts),
            report.table(HEADER, [_row(one) for one in in_order]),
            _hang_line(hangs),
            "\n".join(f"- **not met**: {one}" for one in wrong) if wrong else "All bars are met.",
        ]
    )
