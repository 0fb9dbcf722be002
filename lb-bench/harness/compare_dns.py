"""compare dns: like compare http, with dnsperf as the client; one scenario after the other."""

import time

from harness import ballast, conditions, dns_client, dns_peers, dnsperf, open_ports, javas, procfs, report, rounds
from harness.dns_scenarios import PLAIN, PLAIN_PEER, SCENARIOS, ZONE
from harness.samples import Sample
from harness.workplace import Failure, run_scenarios, say

UNIT = "queries/s"
COLUMNS = (
    ("rate", None, "{:,.0f}"),
    ("cpu", "CPU µs", "{:.2f}"),
    ("average", "average ms", "{:.3f}"),
    ("max", "max ms", "{:.1f}"),
    ("lost", "lost", "{:.0f}"),
    # A server with smaller answers has less work.
    ("size", "bytes of an answer", "{:.0f}"),
    ("rss", "RSS MB", "{:.0f}"),
)
# UDP may lose a datagram when a core is preempted for a moment; a higher share makes the run invalid.
MAX_LOST = 1e-3
_NATIVE_WARMUP_SECONDS = 1
# The dashboard reads the counters of the event loops with a short delay.
COUNTERS_SECONDS = 0.3


def run(options):
    """Returns (report, whether every run was valid)."""
    if not dnsperf.is_installed():
        raise Failure("dnsperf is missing (apt-get install dnsperf)")
    on = javas_for(options.jdk)
    for java in on:
        ballast.make_archive(java)
    return run_scenarios("dns", options.scenario, lambda place, name: _scenario(place, SCENARIOS[name], on, options))


def javas_for(wanted):
    """Returns the Java versions in `wanted`, the newest first; by default the newest, which bin/lb would use."""
    found = javas.find(wanted)[::-1]
    return found if wanted else found[:1]


def _scenario(place, scenario, on, options):
    facts = conditions.gather()
    queries = place.write("queries", scenario.queries())
    first = f"{scenario.labels()[0]}.{ZONE}"
    kinds = dns_peers.kinds(scenario, on, options.peers, options.opengslb)
    if options.before:
        kinds.append(dns_peers.before(options.before, scenario))
    with open_ports.OpenPorts(max(scenario.addresses, SCENARIOS[PLAIN].addresses)) as opened:
        running, missing = rounds.start(
            {kind.name: (kind.start, kind.is_installed, kind.how_to_get) for kind in kinds},
            [kind.name for kind in kinds],
            lambda starter: starter(place, scenario, opened),
            lambda peer: dns_client.answer_count(peer.port, first) in (scenario.records, SCENARIOS[PLAIN].records),
        )
        facts += [(peer.name, peer.version) for peer in running]
        facts += [("dnsperf", conditions.tool_version(["dnsperf", "-h"]))] + [("Not compared", m) for m in missing]
        for peer in running:
            for outstanding in options.outstanding:
                seconds = options.warmup if peer.compiles else min(options.warmup, _NATIVE_WARMUP_SECONDS)
                if seconds:
                    say(f"warming up {peer.name}, {seconds} s")
                    dnsperf.run(peer.port, queries, outstanding, seconds, options=peer.options)

        def one(peer, outstanding, number):
            return measure(peer, queries, outstanding, options.seconds, number, peer.options)

        samples = rounds.run(running, options.outstanding, options.rounds, one, UNIT)
    return _report(scenario, on, facts, options, samples), not samples.faulty()


def measure(peer, queries, outstanding, seconds, number, options=()):
    """Runs dnsperf against one server at maximum rate; `options` are dnsperf options."""
    counted = peer.counts() if peer.counts else None
    cpu = procfs.cpu_seconds(peer.started.pid)
    seen = dnsperf.run(peer.port, queries, outstanding, seconds, options=options)
    cpu = procfs.cpu_seconds(peer.started.pid) - cpu
    memory = procfs.memory_bytes(peer.started.pid)
    peer.started.require_running()
    figures = {
        "rate": seen.rate,
        "cpu": cpu / max(1, seen.completed) * 1e6,
        "average": seen.average_ms,
        "max": seen.max_ms,
        "lost": seen.lost,
        "size": seen.answer_size,
        "rss": memory / 1e6,
        "requests": seen.completed,
    }
    found = faults(seen)
    if counted is not None:
        time.sleep(COUNTERS_SECONDS)
        now = peer.counts()
        found += count_faults(seen, now.queries - counted.queries, now.noerror - counted.noerror)
    return Sample(peer.name, f"{outstanding} outstanding", number, figures, found)


def faults(seen, most_lost=MAX_LOST):
    """Returns what makes a run invalid from the client's view; `most_lost` is a share."""
    found = []
    if not seen.completed:
        found.append("no query was answered")
    if seen.lost > seen.sent * most_lost:
        found.append(f"{seen.lost} of {seen.sent} queries lost")
    if seen.not_answered_well:
        found.append(f"{seen.not_answered_well} answers without NOERROR")
    return found


def count_faults(seen, queries, noerror):
    """Compares the server's counters with the client's: received queries, and NOERROR answers."""
    found = []
    if not seen.completed <= queries <= seen.sent:
        found.append(f"{seen.sent} queries sent, {seen.completed} answered, the server counted {queries}")
    well = seen.completed - seen.not_answered_well
    if not well <= noerror <= well + seen.lost:
        found.append(f"the client got {well} NOERROR answers, the server counted {noerror}")
    return found


def _report(scenario, on, facts, options, samples):
    parts = [
        f"# compare dns: {scenario.name}",
        f"{scenario.about}. Rounds: {options.rounds}, of {options.seconds} s; dnsperf with one thread and"
        f" {dnsperf.CLIENTS} sockets; client and server share the cores, and near 150,000 queries/s the client reaches its"
        " own limit, so CPU per query says more. Medians, with lowest and highest in brackets; ratios are computed"
        " round by round.",
        report.conditions(facts),
        report.excluded(samples),
        "## Figures",
        report.medians(samples, UNIT, COLUMNS),
        *(part for java in on for part in _ratios(scenario, java, on, samples)),
        "## Every run",
        report.every_run(samples, UNIT, COLUMNS),
    ]
    return "\n\n".join(part for part in parts if part)


def _ratios(scenario, java, on, samples):
    """Compares Ballast on one Java with the peers of the scenario; its own `plain` answers must use the same Java."""
    plain = dns_peers.name_on(PLAIN_PEER, java, on)
    against = [plain if peer == PLAIN_PEER else peer for peer in scenario.peers] + ["before"]
    bars = [bar.against(plain) if bar.peer == PLAIN_PEER else bar for bar in scenario.bars_for(java.major)]
    ours = dns_peers.name_on("ballast", java, on)
    return [
        f"## Ratios on Java {java.major}",
        report.ratios(samples, bars, UNIT, ("rate", "cpu"), ours=ours, against=against),
    ]
