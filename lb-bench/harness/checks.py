"""The program behind lb-bench/checks: the cost of health checks of thousands of backends."""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

from harness import backends, ballast, conditions, loopback, ports, procfs, report
from harness.peers import ballast_version
from harness.scrape import address
from harness.workplace import Failure, Workplace, await_true, run_program, say

# CPU seconds of the whole process per second.
BAR = 0.05

KINDS = {
    "tcp": "{type: tcp, interval: %gs}",
    "http": "{type: http, interval: %gs}",
    "body": "{type: http, body_contains: backend-1, interval: %gs}",
}
_WITH_BAR = ("tcp", "http")

_POOLS = 10
_UP_SECONDS = 60
# An interval starts when the last check has ended, with 10 % jitter.
_MIN_SHARE = 0.85
_MAX_SHARE = 1.15


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("checks", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="checks",
        description="Measures the CPU of the process while Ballast only checks thousands of backends, by kind of check.",
    )
    parser.add_argument("--backends", type=int, default=2000, help="number of backends, in ten pools (%(default)s)")
    parser.add_argument("--interval", type=float, default=5, help="seconds between two checks of a backend (%(default)s)")
    parser.add_argument("--warmup", type=int, default=60, help="seconds before the measurement (%(default)s)")
    parser.add_argument("--seconds", type=int, default=60, help="seconds of the measurement (%(default)s)")
    parser.add_argument("--rounds", type=int, default=2, help="measurements of each kind (%(default)s)")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(_WITH_BAR), help="kinds of checks (%(default)s)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


@dataclass(frozen=True)
class CheckRun:
    """The cost of one kind of check in one start."""

    kind: str
    seconds: float
    cpu_seconds: float
    checks: int
    memory: int

    @property
    def cpu(self):
        """Returns the share of one core."""
        return self.cpu_seconds / self.seconds

    @property
    def is_met(self):
        return self.cpu < BAR


def _run(options):
    """Returns (report, whether all bars are met)."""
    runs = []
    with Workplace() as place:
        facts = conditions.gather()
        server = backends.NginxBackend(place, 1, host="0.0.0.0")
        server.await_ready()
        for number in range(options.rounds):
            for kind in options.kinds:
                say(f"round {number + 1} of {options.rounds}, {kind}")
                running = _start(place, server.port, kind, options)
                version = ballast_version(running)
                runs.append(_measure(running, server, kind, options))
                running.started.stop()
        facts.append(("ballast", version))
    return _report(facts, options, runs), is_good(runs)


def is_good(runs):
    """Returns whether the bar is met; checks that read the body have none."""
    return all(run.is_met for run in runs if run.kind in _WITH_BAR)


def _start(place, port, kind, options):
    listen, dashboard = ports.free(), ports.free()
    return ballast.Ballast(place, config(options.backends, port, kind, options.interval, listen, dashboard), listen, dashboard)


def config(count, port, kind, interval, listen, dashboard):
    """Returns a configuration with `count` backends in ten pools, each on an address of its own in 127.0.0.0/8."""
    lines = ["listeners:", f'  - bind: "{ports.LOOPBACK}:{listen}"', "    routes:"]
    lines += [f"      - {{match: {{path: /{pool}}}, pool: p{pool}}}" for pool in range(_POOLS)]
    lines.append("pools:")
    for pool in range(_POOLS):
        lines += [f"  p{pool}:", f"    health: {KINDS[kind] % interval}", "    backends:"]
        lines += [f'      - "{address(number)}:{port}"' for number in range(pool, count, _POOLS)]
    lines.append(f'dashboard: {{bind: "{ports.LOOPBACK}:{dashboard}"}}')
    return "\n".join(lines) + "\n"


def _measure(running, server, kind, options):
    await_true(lambda: _are_checked(running, options.backends), "every backend to be checked", _UP_SECONDS, running.started)
    time.sleep(options.warmup)
    pid = running.started.pid
    begin, cpu, accepted = time.monotonic(), procfs.cpu_seconds(pid), _accepted(server)
    time.sleep(options.seconds)
    running.started.require_running()
    taken, cpu = time.monotonic() - begin, procfs.cpu_seconds(pid) - cpu
    run = CheckRun(kind, taken, cpu, _accepted(server) - accepted - 1, procfs.memory_bytes(pid))
    require_all_checked(run, options.backends, options.interval)
    return run


def _are_checked(running, count):
    states = [backend["last_check"] for backend in running.stats()["backends"]]
    return len(states) == count and all(states)


def require_all_checked(run, count, interval):
    """Fails unless about the expected number of checks ran; fewer checks would cost less."""
    expected = count * run.seconds / interval
    if not _MIN_SHARE * expected <= run.checks <= _MAX_SHARE * expected:
        raise Failure(f"{run.kind}: {run.checks} checks in {run.seconds:.0f} s (expected: about {expected:.0f})")


def _accepted(server):
    """Returns the connections that the server has accepted since its start, including the one of this request."""
    status = loopback.get(f"http://{ports.LOOPBACK}:{server.port}/served")
    if status is None:
        raise Failure("the server of all backends does not respond")
    return parse_accepted(status.decode())


def parse_accepted(status):
    """Reads the first of nginx's three numbers: connections accepted, connections handled, requests."""
    return int(status.split("\n")[2].split()[0])


def _report(facts, options, runs):
    rows = [
        [
            f"`{run.kind}`",
            f"{run.checks / run.seconds:.0f}",
            f"{run.cpu_seconds:.2f}",
            f"{100 * run.cpu:.1f} %",
            f"< {100 * BAR:g} %" if run.kind in _WITH_BAR else "–",
            f"{run.cpu_seconds / run.checks * 1e6:.0f}",
            f"{run.memory / 1e6:.0f}",
            ("met" if run.is_met else "**not met**") if run.kind in _WITH_BAR else "",
        ]
        for run in runs
    ]
    return "\n\n".join(
        [
            "# checks",
            f"{options.backends:,} backends in {_POOLS} pools, checked every {options.interval:g} s; no other load. All of"
            f" them are one nginx on as many addresses. CPU is user and system time of the whole process over"
            f" {options.seconds} s, {options.warmup} s after every backend was checked once; it includes the checks, the"
            " dashboard's sample each second and the ticks of the event loops. MB are 10⁶ bytes.",
            report.conditions(facts),
            report.table(
                ["check", "checks/s", "CPU s", "of one core", "bar", "CPU µs per check", "MB", ""], rows
            ),
        ]
    )
