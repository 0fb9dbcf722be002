"""The program behind lb-bench/ejection: one of four backends fails every request; measures its ejection and the
failures."""

import argparse
import http.client
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from harness import backends, ballast, conditions, faulty, loopback, openloop, ports, report
from harness.peers import ballast_version
from harness.workplace import Failure, Workplace, run_program, say

# Maximum seconds until the ejection, and maximum share of failed requests, at the high rate.
OUT_BAR_SECONDS = 1.0
FAILED_BAR = 0.001

STRATEGIES = ("round-robin", "power-of-two", "least-connection", "least-response-time")

# The behaviour of the backend, and non-default settings of its pool.
FAULTS = {
    "reset": ("accepts and resets", ""),
    "503": ("answers 503", ""),
    "503-retried": ("answers 503, `retry: {on: [..., 503]}`", ", retry: {on: [connect-failure, reset, 503]}"),
}

_SLOW = 20
_WARM_UP_SECONDS = 15
_HEALTHY = 3


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("ejection", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="ejection",
        description="One of four backends passes its health checks and fails every request; measures the time to its ejection and the failed requests.",
    )
    parser.add_argument("--seconds", type=int, default=60, help="length of each run (%(default)s)")
    parser.add_argument("--rate", type=int, default=20_000, help="requests/s, besides runs at 20 (%(default)s)")
    parser.add_argument("--strategies", default=",".join(STRATEGIES), help="separated by commas (%(default)s)")
    parser.add_argument("--faults", default=",".join(FAULTS), help="separated by commas (%(default)s)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


@dataclass(frozen=True)
class Case:
    """A pool with a listener of its own."""

    pool: str
    strategy: str
    fault: str
    rate: int
    port: int


@dataclass(frozen=True)
class EjectionResult:
    """The result of one case. `out` is None if the backend was never taken out."""

    case: Case
    requests: int
    failed: int
    drawn: int
    out: float | None
    p99: float

    @property
    def failed_share(self):
        return self.failed / self.requests if self.requests else float("nan")

    @property
    def drawn_share(self):
        return self.drawn / self.requests if self.requests else float("nan")

    @property
    def is_met(self):
        """Returns whether the bars are met: few failures at the high rate, and the backend is out or gets almost no
        requests."""
        if self.case.rate == _SLOW:
            return True
        is_out = self.out <= OUT_BAR_SECONDS if self.out is not None else self.drawn_share < FAILED_BAR
        return is_out and self.failed_share < FAILED_BAR


def chosen(given, known):
    """Returns the given names; fails if one is unknown."""
    names = given.split(",")
    for name in names:
        if name not in known:
            raise Failure(f"{name} (expected: some of {', '.join(known)})")
    return names


def _run(options):
    strategies, faults = chosen(options.strategies, STRATEGIES), chosen(options.faults, FAULTS)
    with Workplace() as place, ExitStack() as stack:
        facts = conditions.gather()
        generator = openloop.Generator(place)  # first, because its build also builds Ballast
        well = backends.start(place, count=_HEALTHY)
        ill = {"503": faulty.Unavailable(place, 1).address, "reset": stack.enter_context(faulty.Resetting()).address}
        cases = [
            Case(f"{strategy}-{fault}-{rate}", strategy, fault, rate, ports.free())
            for rate in (_SLOW, options.rate)
            for fault in faults
            for strategy in strategies
        ]
        warm, dashboard = ports.free(), ports.free()
        text = config(cases, [server.address for server in well], ill, warm, dashboard)
        running = ballast.Ballast(place, text, warm, dashboard)
        say("warming up")
        generator.run(warm, "/", options.rate, _WARM_UP_SECONDS)
        results = _slow_runs([case for case in cases if case.rate == _SLOW], running, ill, options.seconds)
        for case in cases:
            if case.rate != _SLOW:
                say(f"{case.rate:,}/s, {case.strategy}, {case.fault}")
                begin = time.time()
                load = generator.run(case.port, "/", case.rate, options.seconds)
                results.append(
                    _result(case, running, ill, begin, load.requests + load.failed, load.failed, load.p99)
                )
        running.started.require_running()
        facts.append(("ballast", ballast_version(running)))
    return _report(facts, options, results), all(result.is_met for result in results)


def config(cases, well, ill, warm, dashboard):
    """Returns one listener and pool per case, and one with healthy backends only; other settings have their defaults.
    """

    def backend_list(addresses):
        return ", ".join(f'"{address}"' for address in addresses)

    listeners = [f'  - {{name: warm, bind: "{ports.LOOPBACK}:{warm}", pool: warm}}']
    pools = [f"  warm: {{backends: [{backend_list(well)}]}}"]
    for case in cases:
        listeners.append(f'  - {{name: {case.pool}, bind: "{ports.LOOPBACK}:{case.port}", pool: {case.pool}}}')
        members = backend_list([ill_of(case, ill), *well])
        pools.append(f"  {case.pool}: {{strategy: {case.strategy}, backends: [{members}]{FAULTS[case.fault][1]}}}")
    bind = f"dashboard: {{bind: {ports.LOOPBACK}:{dashboard}}}"
    return "\n".join(["listeners:", *listeners, "pools:", *pools, bind, ""])


def ill_of(case, ill):
    """Returns the address of the failing backend."""
    return ill["reset" if case.fault == "reset" else "503"]


# ---- 20 requests/s


def _slow_runs(cases, running, ill, seconds):
    """All cases at once, because their load is low."""
    say(f"{_SLOW}/s, {len(cases)} pools at once")
    clients = [SlowClient(case.port, _SLOW, seconds) for case in cases]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    return [
        _result(case, running, ill, client.begin, client.requests, client.failed, client.p99)
        for case, client in zip(cases, clients)
    ]


class SlowClient(threading.Thread):
    """Sends requests at a constant rate on one connection, which it reopens after an error."""

    def __init__(self, port, rate, seconds):
        super().__init__(daemon=True)
        self.port = port
        self.pause = 1 / rate
        self.count = rate * seconds
        self.begin = 0.0
        self.failed = 0
        self.requests = 0
        self.times = []

    @property
    def p99(self):
        return sorted(self.times)[int(len(self.times) * 0.99)] * 1e3 if self.times else float("nan")

    def run(self):
        connection = http.client.HTTPConnection(ports.LOOPBACK, self.port, timeout=10)
        self.begin = time.time()
        start = time.monotonic()
        for number in range(self.count):
            time.sleep(max(0.0, start + number * self.pause - time.monotonic()))
            begin = time.monotonic()
            if not self._request(connection):
                self.failed += 1
            self.times.append(time.monotonic() - begin)
            self.requests += 1
        connection.close()

    @staticmethod
    def _request(connection):
        try:
            connection.request("GET", "/")
            answer = connection.getresponse()
            answer.read()
            return answer.status == 200
        except (OSError, http.client.HTTPException):
            connection.close()
            return False


# ---- Ballast's view


def _result(case, running, ill, begin, requests, failed, p99):
    address = ill_of(case, ill)
    drawn = next(
        backend["total_req_count"]
        for backend in running.stats()["backends"]
        if (backend["pool"], backend["addr"]) == (case.pool, address)
    )
    events = loopback.get_json(running.dashboard + "/api/v1/events")["events"]
    return EjectionResult(case, requests, failed, drawn, seconds_until_out(events, f"{case.pool}/{address}", begin), p99)


def seconds_until_out(events, subject, begin):
    """Returns the seconds until the backend was first ejected or down; None if it was not."""
    for event in events:
        if event["subject"] == subject and event["text"].startswith(("ejected", "down")):
            return max(0.0, datetime.fromisoformat(event["time"].replace("Z", "+00:00")).timestamp() - begin)
    return None


# ---- the report


def _report(facts, options, results):
    header = ["rate", "backend", "strategy", "out after s", "failed", "of all", "drawn", "of all", "p99 ms", "bars"]
    rows = [
        [
            f"{result.case.rate:,}",
            FAULTS[result.case.fault][0],
            result.case.strategy,
            "never" if result.out is None else f"{result.out:.2f}",
            str(result.failed),
            f"{result.failed_share:.4%}",
            str(result.drawn),
            f"{result.drawn_share:.3%}",
            f"{result.p99:.1f}",
            "" if result.case.rate == _SLOW else "met" if result.is_met else "**not met**",
        ]
        for result in results
    ]
    return "\n\n".join(
        [
            "# ejection",
            f"One of four backends passes its TCP check and fails every request from the first one on; runs of"
            f" {options.seconds} s, with a pool with default settings for each. `failed` counts failures that clients saw, `drawn` requests that the"
            " backend received: a request that was retried elsewhere is drawn but not failed.",
            f"Bars, at {options.rate:,} requests/s: out within {OUT_BAR_SECONDS:g} s, or drawing less than"
            f" {FAILED_BAR:.1%} without being taken out, and less than {FAILED_BAR:.1%} failed. At {_SLOW} there are none: five"
            f" failures in a row take a second, and are {5 / (_SLOW * options.seconds):.2%} of the run.",
            report.conditions(facts),
            report.table(header, rows),
        ]
    )
