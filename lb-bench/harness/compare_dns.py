"""compare dns: the rounds of compare http, asked by dnsperf."""

import re
import time

from harness import conditions, dns_peers, dnsperf, procfs, report, rounds
from harness.dns_scenarios import ADDRESSES, SCENARIOS, ZONE
from harness.samples import Sample
from harness.workplace import Failure, Workplace, say

UNIT = "queries/s"
COLUMNS = (
    ("rate", None, "{:,.0f}"),
    ("cpu", "CPU µs", "{:.2f}"),
    ("average", "average ms", "{:.3f}"),
    ("max", "max ms", "{:.1f}"),
    ("lost", "lost", "{:.0f}"),
    ("rss", "RSS MB", "{:.0f}"),
)
# UDP may lose a datagram when a core is taken away for a moment; more than this share is no result.
_MOST_LOST = 1e-3
_NATIVE_WARMUP_SECONDS = 1


def run(options):
    """Returns (report, whether every run counted)."""
    if not dnsperf.is_installed():
        raise Failure("dnsperf is missing (apt-get install dnsperf)")
    with Workplace() as place:
        return _run(place, options)


def _run(place, options):
    scenario = SCENARIOS[options.scenario]
    facts = conditions.gather()
    queries = place.write("queries", scenario.queries())
    first = f"{scenario.labels()[0]}.{ZONE}"
    running, missing = rounds.start(
        dns_peers.KNOWN,
        ["ballast", *options.peers],
        lambda starter: starter(place, scenario),
        lambda peer: dns_peers.answers(peer.port, first) == len(ADDRESSES),
    )
    facts += [(peer.name, peer.version) for peer in running]
    facts += [("dnsperf", conditions.tool_version(["dnsperf", "-h"]))] + [("Not compared", m) for m in missing]
    loads = options.outstanding
    for peer in running:
        for outstanding in loads:
            seconds = options.warmup if peer.name == "ballast" else min(options.warmup, _NATIVE_WARMUP_SECONDS)
            if seconds:
                say(f"warming up {peer.name}, {seconds} s")
                dnsperf.run(peer.port, queries, outstanding, seconds)

    def one(peer, outstanding, number):
        return _measure(peer, queries, outstanding, options.seconds, number)

    samples = rounds.run(running, loads, options.rounds, one, UNIT)
    return _report(scenario, facts, options, samples, _bars(scenario, running[0].version)), not samples.faulty()


def _measure(peer, queries, outstanding, seconds, number):
    counted = peer.served() if peer.served else None
    cpu = procfs.cpu_seconds(peer.started.pid)
    seen = dnsperf.run(peer.port, queries, outstanding, seconds)
    cpu = procfs.cpu_seconds(peer.started.pid) - cpu
    memory = procfs.memory_bytes(peer.started.pid)
    peer.started.require_running()
    figures = {
        "rate": seen.rate,
        "cpu": cpu / max(1, seen.completed) * 1e6,
        "average": seen.average_ms,
        "max": seen.max_ms,
        "lost": seen.lost,
        "rss": memory / 1e6,
        "requests": seen.completed,
    }
    if counted is not None:
        # Counters of a data path are read by the dashboard a moment later.
        time.sleep(0.3)
        counted = peer.served() - counted
    return Sample(peer.name, f"{outstanding} outstanding", number, figures, faults(seen, counted))


def faults(seen, counted):
    """What makes a run no result; `counted` are the queries that the server counted, None if it does not."""
    found = []
    if seen.lost > seen.sent * _MOST_LOST:
        found.append(f"{seen.lost} of {seen.sent} queries lost")
    if seen.not_answered_well:
        found.append(f"{seen.not_answered_well} answers without NOERROR")
    if counted is not None and not seen.completed <= counted <= seen.sent:
        found.append(f"{seen.sent} queries sent, {seen.completed} answered, the server counted {counted}")
    return found


def _bars(scenario, version):
    java = re.search(r"Java (\d+)", version)
    return scenario.bars if java and int(java[1]) >= 22 else scenario.bars_before_java_22


def _report(scenario, facts, options, samples, bars):
    parts = [
        f"# compare dns: {scenario.name}",
        f"{scenario.about}. Rounds: {options.rounds}, of {options.seconds} s; dnsperf with one thread and 20 sockets;"
        " client and server share the cores, and near 150,000 queries/s the client is at its own limit, so CPU per"
        " query tells more. Medians, in brackets the lowest and the highest; ratios are taken round by round.",
        report.conditions(facts),
        report.excluded(samples),
        "## Figures",
        report.medians(samples, UNIT, COLUMNS),
        "## Ratios",
        report.ratios(samples, bars, UNIT, ("rate", "cpu")),
        "## Every run",
        report.every_run(samples, UNIT, COLUMNS),
    ]
    return "\n\n".join(part for part in parts if part)
