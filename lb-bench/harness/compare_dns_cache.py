"""compare dns-cache: like compare dns, for caching forwarders in front of one authoritative server."""

import time

from harness import ballast, compare_dns, conditions, dns_cache_peers, dns_client, dns_peers, dnsperf, procfs, query_logs
from harness import report, rounds
from harness.dns_cache_scenarios import SCENARIOS
from harness.dns_scenarios import ZONE
from harness.samples import Sample
from harness.workplace import Failure, run_scenarios, say

UNIT = compare_dns.UNIT
COLUMNS = (
    *compare_dns.COLUMNS[:3],
    ("p50", "p50 ms", "{:.3f}"),
    ("p99", "p99 ms", "{:.3f}"),
    *compare_dns.COLUMNS[3:-1],
    ("hits", "hits %", "{:.1f}"),
    ("logged", "logged %", "{:.1f}"),
    compare_dns.COLUMNS[-1],
)
PEERS = ("dnsdist", "unbound", "coredns", "ent-dns")
# The first load has compiled most of the code; other loads need little more.
_FURTHER_WARMUP_SECONDS = 1
# Minimum share of a fixed rate that must be reached.
_MIN_REACHED = 0.97


def run(options):
    """Returns (report, whether every run was valid)."""
    if not dnsperf.is_installed():
        raise Failure("dnsperf is missing (apt-get install dnsperf)")
    on = compare_dns.javas_for(options.jdk)
    for java in on:
        ballast.make_archive(java)
    return run_scenarios("dns-cache", options.scenario, lambda place, name: _scenario(place, SCENARIOS[name], on, options))


def _scenario(place, scenario, on, options):
    facts = conditions.gather()
    upstream = dns_cache_peers.start_upstream(place)
    logs = [query_logs.LOGS[name] for name in dict.fromkeys((*scenario.logs, *options.log))]
    known = dns_cache_peers.known(on, options.before, options.coredns, options.ent_dns, logs)
    ours = [name for name in known if name not in PEERS]
    running, missing = rounds.start(
        known,
        ours + options.peers,
        lambda starter: starter(place, upstream),
        lambda peer: dns_client.answer_count(peer.port, f"start.{ZONE}", recursion=True) == 4,
    )
    facts += [(peer.name, peer.version) for peer in running]
    facts += [(log.peer, log.about) for log in logs]
    facts += [("upstream", f"Knot {conditions.tool_version(['knotd', '--version'])}")]
    facts += [("dnsperf", conditions.tool_version(["dnsperf", "-h"]))] + [("Not compared", each) for each in missing]
    for peer in running:
        _warm_up(place, scenario, peer, options.warmup)
    written = {}

    def one(peer, load, number):
        if (load, number) not in written:
            # Names of earlier runs are not queried again, so their file can be deleted.
            written.clear()
            text = scenario.queries(f"r{number}", scenario.needed(options.seconds))
            written[load, number] = place.write("queries", text)
        return measure(peer, scenario, written[load, number], load, options.seconds, number)

    samples = rounds.run(running, scenario.loads, options.rounds, one, UNIT)
    return _report(scenario, on, facts, options, samples), not samples.faulty()


def _warm_up(place, scenario, peer, seconds):
    """Caches every repeated name, and warms up the JIT if there is one."""
    known = place.write("known", "".join(scenario.known()))
    dnsperf.run(peer.port, known, scenario.loads[0].outstanding, 1)
    if not seconds or not peer.compiles:
        return
    say(f"warming up {peer.name}, {seconds} s")
    queries = place.write("warm-up", scenario.queries("w", scenario.needed(seconds)))
    for load in scenario.loads:
        dnsperf.run(peer.port, queries, load.outstanding, seconds)
        seconds = _FURTHER_WARMUP_SECONDS


def measure(peer, scenario, queries, load, seconds, number):
    """Runs one load against one forwarder."""
    before = peer.lookups() if peer.lookups else None
    cpu = procfs.cpu_seconds(peer.started.pid)
    figures = {}
    if load.rate:
        seen, times = dnsperf.run_timed(peer.port, queries, load.outstanding, seconds, load.rate)
        figures |= {"p50": dnsperf.percentile(times, 0.5), "p99": dnsperf.percentile(times, 0.99)}
    else:
        seen = dnsperf.run(peer.port, queries, load.outstanding, seconds)
    cpu = procfs.cpu_seconds(peer.started.pid) - cpu
    peer.started.require_running()
    figures |= {
        "rate": seen.rate,
        "cpu": cpu / max(1, seen.completed) * 1e6,
        "average": seen.average_ms,
        "max": seen.max_ms,
        "lost": seen.lost,
        "size": seen.answer_size,
        "rss": procfs.memory_bytes(peer.started.pid) / 1e6,
        "requests": seen.completed,
    }
    found = compare_dns.faults(seen, load.most_lost)
    if load.rate and seen.rate < _MIN_REACHED * load.rate:
        found.append(f"reached {seen.rate:,.0f} of {load.rate:,} queries/s")
    if before is not None:
        time.sleep(compare_dns.COUNTERS_SECONDS)
        now = peer.lookups()
        hits, misses = now.hits - before.hits, now.misses - before.misses
        figures["hits"] = hits / max(1, hits + misses) * 100
        found += lookup_faults(scenario, seen, hits, misses)
        if now.logged is not None:
            figures["logged"] = query_logs.share(before.logged, now.logged, seen.completed)
            wrong = query_logs.fault(peer.log, before.logged, now.logged, seen.completed, seen.sent)
            found += [wrong] if wrong else []
    return Sample(peer.name, load.label, number, figures, found)


def lookup_faults(scenario, seen, hits, misses):
    """Compares the forwarder's counters with the client's, and with the scenario's expected hit share."""
    found = []
    if not seen.completed <= hits + misses <= seen.sent:
        found.append(
            f"{seen.sent} queries sent, {seen.completed} answered, the forwarder counted {hits:.0f} hits and"
            f" {misses:.0f} misses"
        )
    return found + scenario.hit_fault(hits / max(1, hits + misses))


def _report(scenario, on, facts, options, samples):
    parts = [
        f"# compare dns-cache: {scenario.name}",
        f"A queries over UDP: {scenario.about}. Rounds: {options.rounds}, of {options.seconds} s; dnsperf with one thread and"
        f" {dnsperf.CLIENTS} sockets. Client, forwarder and upstream share the cores, so CPU per query says more than"
        " queries/s. Medians, with lowest and highest in brackets; ratios are computed round by round.",
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
    ours = dns_peers.name_on("ballast", java, on)
    against = [*PEERS, "before", *(log.peer for log in query_logs.LOGS.values())]
    return [
        f"## Ratios on Java {java.major}",
        report.ratios(samples, scenario.bars, UNIT, scenario.compared, ours=ours, against=against),
    ]
