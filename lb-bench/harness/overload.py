"""The program behind lb-bench/overload: limits under ten times their rate, beside a normal client, and with many keys."""

import argparse
import threading
from pathlib import Path

from harness import backends, ballast, limit_keys, loopback, openloop, ports, subjects, wrk
from harness.peers import ballast_version
from harness.template import fill_peer
from harness.workplace import Failure, await_true, say

_RATE, _BURST = 500, 100
_GREEDY, _NORMAL = "127.0.0.2", "127.0.0.3"
_NORMAL_RATE = 50
# The slow pool: backends, requests that each works on at the same time, and the time of each.
_SLOW_BACKENDS, _SLOTS, _DELAY_MS = 2, 8, 20
_CAPACITY = _SLOW_BACKENDS * _SLOTS * 1000 // _DELAY_MS
_SETTLE_SECONDS = 30
# The bars of the specification, and a tolerance for times on a busy machine.
_MIN_GOODPUT, _MAX_P99_RATIO, _MAX_LATER_MS = 0.90, 2.0, 20.0
_MAX_RATE_ERROR = 0.02
_CASES = ("rate", "concurrency", "keys")


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="overload", description="Sends many times the requests that limits allow, beside a normal client."
    )
    parser.add_argument("--seconds", type=int, default=10, help="length of each run (%(default)s)")
    parser.add_argument("--times", type=int, default=10, help="multiple of the rate limit (%(default)s)")
    parser.add_argument("--cases", type=_cases, default=_CASES, metavar="NAMES", help=f"some of {', '.join(_CASES)} (all)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return subjects.run(parser.parse_args(arguments), "overload", _test)


def _cases(text):
    names = tuple(text.split(","))
    for name in names:
        if name not in _CASES:
            raise argparse.ArgumentTypeError(f"{name} (expected: some of {', '.join(_CASES)})")
    return names


def _test(place, options):
    if "keys" in options.cases and not wrk.is_installed():
        raise Failure("wrk is missing (apt-get install wrk)")
    running, port = _start(place, options.cases)
    facts = [("Ballast", ballast_version(running))]
    has_open_loop = options.cases != ("keys",)
    if has_open_loop:
        facts.append(("Normal client", f"{_NORMAL_RATE} requests/s at a fixed rate; its times start when a request is due"))
    generators = (openloop.Generator(place), openloop.Generator(place)) if has_open_loop else ()
    checks = subjects.Checks()
    if "rate" in options.cases:
        _check_rate(checks, generators, port, options)
    if "concurrency" in options.cases:
        _check_concurrency(checks, generators[0], port, options)
    if "keys" in options.cases:
        limit_keys.check(lambda *row: _bar(checks, *row), running, port)
    running.started.require_running()
    return subjects.write(
        "Limits under overload",
        "Open loops by io.ballast.bench.load.OpenLoop, CPU with many keys by wrk; client, balancer and backends share the cores.",
        facts,
        ["case", "figure", "measured", "bar"],
        checks,
    ), not checks.failures


def _start(place, cases):
    fast = backends.start(place, 2)
    slow = fast
    if "concurrency" in cases:
        slow = [backends.JavaBackend(place, 10 + number, _DELAY_MS, _SLOTS) for number in range(_SLOW_BACKENDS)]
        for backend in slow:
            backend.await_ready()
    port, dashboard_port = ports.free(), ports.free()
    values = {
        "rate": _RATE,
        "burst": _BURST,
        "keys": limit_keys.KEYS,
        "port": port,
        "dashboard_port": dashboard_port,
        "backends": _listed(fast),
        "slow_backends": _listed(slow),
    }
    running = ballast.Ballast(place, fill_peer("overload/ballast.yaml", values), port, dashboard_port)
    await_true(lambda: loopback.is_ok(f"http://{ports.LOOPBACK}:{port}/"), "Ballast to answer", 10, running.started)
    return running, port


def _listed(found):
    return "\n".join(f'      - "{backend.address}"' for backend in found)


def _check_rate(checks, generators, port, options):
    """One client sends many times its limit; other clients must not be affected."""
    say("rate limit")
    greedy, normal = generators
    # Warms up Ballast and both generators, and lets the limit recover.
    greedy.run(port, "/", _RATE * options.times, 5, source="127.0.0.4")
    normal.run(port, "/", _NORMAL_RATE, 3, source=_NORMAL)
    alone = normal.run(port, "/", _NORMAL_RATE, options.seconds, source=_NORMAL)
    loads = {}

    def send():
        loads["greedy"] = greedy.run(port, "/", _RATE * options.times, options.seconds, source=_GREEDY)

    thread = threading.Thread(target=send)
    thread.start()
    beside = normal.run(port, "/", _NORMAL_RATE, options.seconds, source=_NORMAL)
    thread.join()
    admitted, expected = loads["greedy"].requests, _RATE * options.seconds + _BURST
    case = f"{options.times} times a limit of {_RATE} requests/s"
    _bar(checks, case, "admitted requests", admitted, f"{expected} ± 2 %", abs(admitted - expected) <= expected * _MAX_RATE_ERROR)
    other = sum(count for kind, count in loads["greedy"].errors.items() if kind != "status")
    _bar(checks, case, "connection errors", other, "0", other == 0)
    _bar(checks, case, "failures of the normal client", beside.failed, "0", beside.failed == 0)
    most = max(alone.p99 * _MAX_P99_RATIO, alone.p99 + _MAX_LATER_MS)
    _bar(checks, case, "p99 of the normal client", f"{beside.p99:.1f} ms", f"≤ {most:.1f} ms", beside.p99 <= most)


def _check_concurrency(checks, generator, port, options):
    """A pool gets three times the requests that it can serve."""
    say("adaptive concurrency")
    unloaded = generator.run(port, "/slow", _CAPACITY // 4, options.seconds)
    generator.run(port, "/slow", _CAPACITY * 3, _SETTLE_SECONDS)
    loaded = generator.run(port, "/slow", _CAPACITY * 3, options.seconds)
    goodput = loaded.requests / options.seconds
    case = f"3 times a pool's capacity of {_CAPACITY} requests/s"
    _bar(checks, case, "responses with 200", f"{goodput:.0f}/s", f"≥ {_CAPACITY * _MIN_GOODPUT:.0f}/s", goodput >= _CAPACITY * _MIN_GOODPUT)
    ratio = loaded.answered_p99 / unloaded.answered_p99
    measured = f"{loaded.answered_p99:.0f} ms, unloaded {unloaded.answered_p99:.0f} ms"
    _bar(checks, case, "p99 of these", measured, f"≤ {_MAX_P99_RATIO} ×", ratio <= _MAX_P99_RATIO)
    other = sum(count for kind, count in loaded.errors.items() if kind != "status")
    _bar(checks, case, "connection errors", other, "0", other == 0)


def _bar(checks, case, figure, measured, bar, is_met):
    if is_met:
        checks.passed(case, figure, measured, bar)
    else:
        checks.failed(f"{measured} (bar: {bar})", case, figure, measured, bar)
