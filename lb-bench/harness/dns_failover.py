"""The program behind lb-bench/dns-failover: DNS answers under load while a backend is killed and restarted."""

import argparse
import re
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from harness import backends, ballast, conditions, dns_client, dns_peers, dns_watch, dnsperf, ports, report
from harness.dns_scenarios import ZONE
from harness.template import fill_peer
from harness.workplace import Failure, Workplace, await_true, run_program, say

_NAME = f"app0.{ZONE}"
_BACKENDS = 4
# Maximum time from the health decision to the last outdated answer.
_MAX_LAG_SECONDS = 1.0
# Maximum duration of the health decision in intervals: three failures, doubled for a busy machine.
_MAX_INTERVALS = 6
_QUIET_SECONDS = 3


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("dns-failover", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="dns-failover", description="Kills a backend under DNS load and restarts it; measures when the answers follow."
    )
    parser.add_argument("--interval", type=int, default=1, help="seconds between two checks of a backend (%(default)s)")
    parser.add_argument("--rate", type=int, default=10_000, help="queries per second (%(default)s)")
    parser.add_argument("--warmup", type=int, default=8, help="seconds of warm-up at this rate (%(default)s)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


@dataclass(frozen=True)
class Timeline:
    """The times of the events in seconds since 1970; None for events that did not happen."""

    killed: float
    decided_down: float
    last_bad: float
    absent: float
    returned: float
    decided_up: float
    back: float
    end: float


def _run(options):
    for tool in ("nginx", "dnsperf"):
        if shutil.which(tool) is None:
            message = f"dns-failover: SKIPPED, {tool} is missing (apt-get install {tool.replace('nginx', 'nginx-light')})"
            say(message)
            return message, True
    with Workplace() as place:
        facts = conditions.gather()
        servers = [backends.NginxBackend(place, n, host=f"127.1.0.{n}") for n in range(1, _BACKENDS + 1)]
        for server in servers:
            server.await_ready()
        running = _start(place, servers, options.interval)
        facts += [("ballast", dns_peers.serving(running).version)]
        facts += [("dnsperf", conditions.tool_version(["dnsperf", "-h"]))]
        await_true(lambda: _states(running) == ["up"] * _BACKENDS, "four backends up", 10 + 6 * options.interval, running.started)
        queries = place.write("queries", f"{_NAME} A\n")
        say(f"warming up, {options.warmup} s")
        if options.warmup:
            dnsperf.run(running.port, queries, 100, options.warmup, rate=options.rate)
        watcher = dns_watch.AnswerWatcher(running.port, _NAME)
        watcher.start()
        try:
            timeline, load = _fail_over(running, servers, watcher, queries, options)
        finally:
            watcher.stop()
    victim = servers[-1].host
    found = problems(timeline, load, watcher.failures, options.rate)
    return _report(options, facts, timeline, load, watcher, victim, found), not found


def _start(place, servers, interval):
    port, dashboard_port = ports.free(ports.DNS), ports.free()
    addresses = dns_peers.listed(server.address for server in servers)
    values = {"port": port, "dashboard_port": dashboard_port, "backends": addresses, "interval": f"{interval}s"}
    return ballast.Ballast(place, fill_peer("dns/failover/ballast.yaml", values), port, dashboard_port)


def _fail_over(running, servers, watcher, queries, options):
    """Returns (events, dnsperf's result): steady state, last backend killed, detected, restarted, detected, steady
    state."""
    victim = servers[-1]
    most = 2 * _QUIET_SECONDS + 2 * _MAX_INTERVALS * options.interval
    with ThreadPoolExecutor(1) as pool:
        load = pool.submit(dnsperf.run, running.port, queries, 1000, most, rate=options.rate)
        time.sleep(_QUIET_SECONDS)
        say(f"killing {victim.name}")
        killed = time.time()
        victim.kill()
        _await_seen(lambda: victim.host not in watcher.latest(), options)
        time.sleep(_QUIET_SECONDS / 2)
        decided_down = since(running.stats()["backends"][-1])
        say(f"starting {victim.name}")
        returned = time.time()
        victim.start()
        _await_seen(lambda: victim.host in watcher.latest(), options)
        time.sleep(_QUIET_SECONDS / 2)
        decided_up = since(running.stats()["backends"][-1])
        seen_load = load.result()
    seen = watcher.seen
    absent = dns_watch.first_without(seen, victim.host, killed)
    back = min((s.at for s in seen if s.at > returned and victim.host in s.addresses), default=None)
    last_bad = dns_watch.last_naming(seen, victim.host, killed, back or time.time())
    return Timeline(killed, decided_down, last_bad, absent, returned, decided_up, back, time.time()), seen_load


def _await_seen(condition, options):
    """Continues after the timeout; the report shows the missing event."""
    try:
        await_true(condition, "the answers to follow", _MAX_INTERVALS * options.interval)
    except Failure as failure:
        say(str(failure))


def _states(running):
    return [backend["state"] for backend in running.stats()["backends"]]


def since(backend):
    """Returns when a backend in /stats entered its state, in seconds since 1970."""
    date, fraction = re.fullmatch(r"([^.Z]+)(\.\d+)?Z", backend["since"]).groups()
    return datetime.fromisoformat(date).replace(tzinfo=timezone.utc).timestamp() + float(fraction or 0)


def problems(timeline, load, watch_failures, rate):
    """Returns what was wrong with the failover."""
    found = []
    if timeline.absent is None:
        found.append("the answers contained the killed backend until the end")
    elif (timeline.last_bad or timeline.killed) - timeline.decided_down > _MAX_LAG_SECONDS:
        lag = timeline.last_bad - timeline.decided_down
        found.append(f"an answer contained it {lag:.2f} s after it was down (expected: <= {_MAX_LAG_SECONDS:g} s)")
    if timeline.back is None:
        found.append("the answers did not contain it again")
    if load.lost:
        found.append(f"{load.lost} of {load.sent} queries lost")
    if load.not_answered_well:
        found.append(f"{load.not_answered_well} answers without NOERROR")
    if load.rate < 0.9 * rate:
        found.append(f"reached {load.rate:,.0f} of {rate:,} queries/s")
    return found + [f"a query of the watcher: {failure}" for failure in watch_failures[:3]]


def _report(options, facts, timeline, load, watcher, victim, found):
    def after(moment):
        return "never" if moment is None else f"{moment - timeline.killed:.3f} s"

    def ttl(begin, end):
        values = dns_watch.ttls(watcher.seen, begin, end or timeline.end)
        if values is None:
            return "–"
        return str(values[0]) if values[0] == values[1] else f"{values[0]}–{values[1]}"

    up_after = "never" if timeline.back is None else f"{timeline.back - timeline.returned:.3f} s"
    rows = [[after(s.at), str(len(s.addresses)), "yes" if victim in s.addresses else "no", str(s.ttl)] for s in dns_watch.changes(watcher.seen)]
    return "\n\n".join(
        [
            "# dns-failover",
            f"Four backends, checked by HTTP every {options.interval} s (three failures take one down, two successes bring it"
            f" up); {options.rate:,} queries/s by dnsperf, and one every 5 ms whose answer is inspected. One backend is killed"
            " (-9), and restarted when the answers no longer contain it.",
            report.conditions(facts),
            report.table(
                ["since the kill", "event"],
                [
                    ["0.000 s", "killed"],
                    [after(timeline.decided_down), "detected as down"],
                    [after(timeline.last_bad), "**last answer that contains it**"],
                    [after(timeline.absent), "first answer without it"],
                    [after(timeline.returned), "started again"],
                    [after(timeline.decided_up), "detected as up"],
                    [after(timeline.back), f"first answer that contains it again, {up_after} after its start"],
                ],
            ),
            report.table(
                ["TTL served", "seconds"],
                [
                    ["before", ttl(0, timeline.killed)],
                    ["killed, still in the answers", ttl(timeline.killed, timeline.absent)],
                    ["while it was down", ttl(timeline.absent or timeline.end, timeline.back)],
                    ["after its restart", ttl(timeline.back or timeline.end, timeline.end)],
                ],
            ),
            "Changes of the answers:",
            report.table(["since the kill", "addresses", "includes the killed one", "TTL"], rows),
            f"dnsperf: {load.sent:,} queries, {load.lost} lost, {load.not_answered_well} without NOERROR; average"
            f" {load.average_ms:.2f} ms, at most {load.max_ms:.1f} ms. Inspected answers: {len(watcher.seen):,}.",
            f"**Failed**: {'; '.join(found)}." if found else "No query was lost, and the answers followed the checks.",
        ]
    )
