"""The program behind lb-bench/dns-soak: many names, a flood of unique names, and a resolver that fails and recovers."""

import argparse
import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from harness import ballast, conditions, dns_client, loopback, ports, report, vitals
from harness.dns_cache_peers import sum_of
from harness.peers import ballast_version
from harness.template import fill_peer
from harness.workplace import BENCH, Failure, Workplace, await_true, run_program, say

_NAMES = 100_000
_SAMPLES = 120
_ROWS = 20
# Growth is measured from this share of the run on: by then the cache is full and the code compiled.
_EVALUATED_FROM = 0.5
# When a resolver is killed and restarted, as shares of the run.
_KILLED_AT, _BACK_AT = 0.4, 0.55
_MAX_P99_MS = 50
# Maximum share of the paced clients' queries that may be refused by the limit or fail during the outage. Cached answers
# must always be served.
_MAX_REJECTED = 0.03
_EMPTY_SECONDS = 10
_SEEDS = (11, 12, 13)


@dataclass(frozen=True)
class Line:
    """One condition that must hold."""

    what: str
    found: str
    bar: str
    is_met: bool


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("dns-soak", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="dns-soak",
        description="Two clients query a forwarder for many names over a long time, while a flood of unique names hits it and"
        " one of its resolvers is killed and restarted; checks every answer, and memory, files and threads.",
    )
    parser.add_argument("--minutes", type=float, default=10, help="(%(default)s)")
    parser.add_argument("--names", type=int, default=_NAMES, help="number of repeated names (%(default)s)")
    parser.add_argument("--rate", type=int, default=1000, help="queries per second of each client (%(default)s)")
    parser.add_argument("--flood", type=int, default=2000, help="queries per second of the flood (%(default)s)")
    parser.add_argument("--outstanding", type=int, default=500, help="the limit that the flood must reach (%(default)s)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


def _run(options):
    seconds = round(60 * options.minutes)
    with Workplace() as place:
        facts = conditions.gather()
        ballast.build()
        resolvers = [_Resolver(place, f"resolver-{number}") for number in (1, 2)]
        port, dashboard_port = ports.free(ports.DNS), ports.free()
        values = {
            "port": port,
            "dashboard_port": dashboard_port,
            "first_port": resolvers[0].port,
            "second_port": resolvers[1].port,
            "outstanding": options.outstanding,
        }
        config = fill_peer("dns/soak/ballast.yaml", values)
        running = ballast.Ballast(place, config, port, dashboard_port)
        facts.append(("ballast", ballast_version(running)))
        await_true(lambda: dns_client.answer_count(port, "n1.soak.example", recursion=True) == 1, "an answer", 10)
        watcher = vitals.VitalsSampler(running, every=min(5, seconds / _SAMPLES))
        watcher.start()
        try:
            seen = _load(port, options, seconds, resolvers[0])
        finally:
            watcher.stop()
        running.started.require_running()
        counted = _counted(running)
        heap = running.heap_after_collection()
        log = Path(running.started.log).read_text(errors="replace")
        ended = _end(running)
    lines = evaluate(seen, counted, watcher.samples, log, ended)
    return _report(options, facts, seen, counted, watcher.samples, heap, lines), all(line.is_met for line in lines)


class _Resolver:
    def __init__(self, place, name):
        self.name = name
        self.port = ports.free(ports.DNS)
        self._place = place
        self.start()

    def start(self):
        command = [sys.executable, "-m", "harness.soak_resolver", self.port]
        self.started = self._place.start(self.name, command, {"PYTHONPATH": str(BENCH), "PYTHONDONTWRITEBYTECODE": "1"})

    def kill(self):
        self.started.kill()


def _load(port, options, seconds, resolver):
    """Returns the results of the clients by name."""
    kinds = {"zipf": options.rate, "uniform": options.rate, "unique": options.flood}
    say(f"{sum(kinds.values()):,} queries/s for {seconds} s")
    clients = {
        kind: _client(port, kind, options.names, rate, seconds, seed) for (kind, rate), seed in zip(kinds.items(), _SEEDS)
    }
    begin = time.monotonic()
    _wait_until(begin + _KILLED_AT * seconds)
    say(f"killing {resolver.name}")
    resolver.kill()
    _wait_until(begin + _BACK_AT * seconds)
    say(f"starting {resolver.name}")
    resolver.start()
    seen = {}
    for kind, client in clients.items():
        out, _ = client.communicate(timeout=seconds + 60)
        if client.returncode:
            raise Failure(f"the client '{kind}' exited with {client.returncode}")
        seen[kind] = json.loads(out)
    return seen


def _wait_until(due):
    time.sleep(max(0.0, due - time.monotonic()))


def _client(port, kind, names, rate, seconds, seed):
    words = {"port": port, "kind": kind, "names": names, "rate": rate, "seconds": seconds, "seed": seed}
    command = [sys.executable, "-m", "harness.soak_client"]
    for name, value in words.items():
        command += [f"--{name}", str(value)]
    return subprocess.Popen(command, cwd=BENCH, stdout=subprocess.PIPE, text=True)


def _counted(running):
    """Returns Ballast's counters once no query is waiting, or after ten seconds."""
    end = time.monotonic() + _EMPTY_SECONDS
    while True:
        text = loopback.get(running.dashboard + "/metrics").decode()
        waiting = sum_of(text, "ballast_dns_waiting")
        if not waiting or time.monotonic() > end:
            break
        time.sleep(0.2)
    outcomes = ("hit", "miss", "stale", "failed", "overloaded")
    counted = {each: sum_of(text, f'ballast_dns_forwarded_total{{outcome="{each}"}}') for each in outcomes}
    return {**counted, "waiting": waiting}


def _end(running):
    """Returns the seconds from SIGTERM to the exit; None if it had to be killed."""
    begin = time.monotonic()
    running.started.terminate()
    while running.started.is_running():
        if time.monotonic() - begin > 15:
            return None
        time.sleep(0.02)
    return time.monotonic() - begin


def evaluate(seen, counted, samples, log, ended):
    """Returns all conditions."""
    paced = [seen["zipf"], seen["uniform"]]
    sent = sum(client["sent"] for client in paced)
    turned_away = sum(client["outcomes"].get(kind, 0) for client in paced for kind in ("refused", "failed"))
    everybody = list(seen.values())
    wrong = sum(client["outcomes"].get(kind, 0) for client in everybody for kind in ("wrong", "unasked"))
    lost = sum(client["outcomes"].get("lost", 0) for client in everybody)
    p99 = max(client["p99_ms"] for client in paced)
    lines = [
        Line("wrong answers, or answers to other queries", f"{wrong}", "0", not wrong),
        Line("queries without an answer", f"{lost}", "0", not lost),
        Line(
            "queries of the two clients that were refused or failed",
            f"{turned_away:,} of {sent:,}",
            f"≤ {_MAX_REJECTED:.0%}",
            turned_away <= _MAX_REJECTED * sent,
        ),
        Line("their p99", f"{p99:.1f} ms", f"≤ {_MAX_P99_MS} ms", p99 <= _MAX_P99_MS),
        Line("refused because the limit was reached", f"{counted['overloaded']:,.0f}", "> 0", counted["overloaded"] > 0),
        Line("queries waiting at the end", f"{counted['waiting']:.0f}", "0", not counted["waiting"]),
        Line("errors in its log", f"{log.count('level=ERROR')}", "0", "level=ERROR" not in log),
        Line("time to exit after SIGTERM", "killed" if ended is None else f"{ended:.1f} s", "≤ 15 s", ended is not None),
    ]
    half = samples[int(len(samples) * _EVALUATED_FROM) :]
    if len(half) < 10:
        return [*lines, Line("samples in the last half", str(len(half)), "≥ 10", False)]
    for index, vital in enumerate(vitals.VITALS):
        points = [(at, values[index]) for at, values in half]
        rise = vitals.growth(points)
        allowed = vital.allowed(sum(value for _, value in points) / len(points))
        lines.append(
            Line(
                f"growth of {vital.name} in the last half",
                f"{rise / vital.unit:.1f}",
                f"≤ {allowed / vital.unit:.1f}",
                rise <= allowed,
            )
        )
    return lines


def _report(options, facts, seen, counted, samples, heap, lines):
    about = (
        f"{options.minutes:g} minutes; two clients send {options.rate:,} queries/s each for {options.names:,} names, one with a Zipf"
        f" distribution, one with a uniform one, TTLs 1 to 300 s; a third sends {options.flood:,} queries/s for unique names,"
        " of which one in ten is never answered and one in ten fails. At most"
        f" {options.outstanding} queries may wait. One of two resolvers is killed and restarted. Every answer is checked:"
        " id, question with its case, data, TTL."
    )
    rows = [
        [
            {"zipf": "Zipf", "uniform": "uniform", "unique": "the flood"}[kind],
            f"{client['sent']:,}",
            *(f"{client['outcomes'].get(outcome, 0):,}" for outcome in ("answered", "failed", "refused", "lost", "wrong")),
            *(f"{client[figure]:.2f}" for figure in ("p50_ms", "p99_ms", "p99_9_ms", "max_ms")),
        ]
        for kind, client in seen.items()
    ]
    faults = [fault for client in seen.values() for fault in client["faults"]]
    header = ["client", "sent", "answered", "failed", "refused", "lost", "wrong", "p50 ms", "p99 ms", "p99.9 ms", "max ms"]
    course = samples[:: max(1, len(samples) // _ROWS)]
    parts = [
        "# dns-soak",
        about,
        report.conditions(facts),
        report.table(["", "found", "bar", ""], [[l.what, l.found, l.bar, "met" if l.is_met else "**not met**"] for l in lines]),
        "## Clients",
        report.table(header, rows),
        "\n".join(f"- {fault}" for fault in faults),
        "## Ballast",
        "Counters: " + ", ".join(f"{name} {value:,.0f}" for name, value in counted.items()) + ".",
        f"Heap in use after a collection: {heap / 1e6:.1f} MB." if heap else "",
        report.table(
            ["s", *(vital.name for vital in vitals.VITALS)],
            [[f"{at:.0f}", *(f"{value / vital.unit:.1f}" for vital, value in zip(vitals.VITALS, values))] for at, values in course],
        ),
    ]
    return "\n\n".join(part for part in parts if part)
