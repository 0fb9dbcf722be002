"""compare http: starts everything, warms up, runs the rounds, writes the report."""

from harness import backends, conditions, h2load, loopback, measure, openloop, peers, procfs, report, rounds, wrk
from harness.samples import Samples
from harness.scenarios import SCENARIOS
from harness.workplace import Failure, say

# Native code needs no compiler, only its connections.
_NATIVE_WARMUP_SECONDS = 2


def run(place, options):
    """Returns (report, whether every run counted)."""
    if not wrk.is_installed():
        raise Failure("wrk is missing (apt-get install wrk)")
    scenario = SCENARIOS[options.scenario]
    facts = conditions.gather()
    served_by = backends.start(place) if scenario.has_backends else []
    running, missing = rounds.start(
        peers.KNOWN,
        ["ballast", *(name for name in options.peers if scenario.has_backends or name != "divisor")],
        lambda starter: starter(place, scenario, served_by),
        lambda peer: loopback.is_ok(measure.url(peer, scenario)),
    )
    facts += [(peer.name, peer.version) for peer in running]
    facts += [("wrk", conditions.tool_version(["wrk", "-v"]))] + [("Not compared", m) for m in missing]
    facts += _ballast_at_rest(running[0])
    loads = options.connections or scenario.connections
    _warm_up(running, scenario, loads, options.warmup)

    def one(peer, connections, number):
        return measure.closed_loop(peer, scenario, served_by, connections, options.seconds, number)

    samples = rounds.run(running, loads, options.rounds, one, scenario.unit)
    fixed, note = _fixed_rate(place, running, scenario, samples, options)
    complete = not samples.faulty() and not fixed.faulty()
    return _report(scenario, facts, options, samples, fixed, note), complete


def _ballast_at_rest(ballast):
    memory = procfs.memory_bytes(ballast.started.pid) / 1e6
    return [
        ("Ballast ready after", f"{ballast.start_seconds:.2f} s (bar: ≤ 1.0 s)"),
        ("Ballast's RSS then", f"{memory:.0f} MB (bar: ≤ 120 MB)"),
    ]


def _warm_up(running, scenario, loads, seconds):
    for peer in running:
        for connections in loads:
            length = seconds if peer.name == "ballast" else min(seconds, _NATIVE_WARMUP_SECONDS)
            if length:
                say(f"warming up {peer.name}, {connections} connections, {length} s")
                wrk.run(measure.url(peer, scenario), connections, length)


def _fixed_rate(place, running, scenario, samples, options):
    """Returns (samples, a note on how or why not)."""
    bar = scenario.fixed_rate_bar
    if bar is None or options.no_fixed_rate:
        return Samples(), ""
    reached = [samples.spread(bar.peer, load, "rate") for load in samples.loads()]
    missing = "" if h2load.is_installed() else "h2load is missing (apt-get install nghttp2-client)"
    if None in reached:
        missing = f"{bar.peer} gave no rate to halve"
    if missing:
        say(f"no open loop: {missing}")
        return Samples(), f"Left out: {missing}."
    rate = max(spread.middle for spread in reached) / 2

    def one(peer, _, number):
        return openloop.run(place, peer, scenario, rate, options.seconds, number)

    # A round 0 before, because another client asks in another rhythm.
    found = rounds.run(running, [openloop.LOAD], options.rounds, one, scenario.unit, first=0)
    return found, f"{rate:,.0f} requests/s, half of what {bar.peer} did at most, sent by h2load."


def _report(scenario, facts, options, samples, fixed, note):
    parts = [
        f"# compare http: {scenario.name}",
        f"{scenario.about}. Rounds: {options.rounds}, of {options.seconds} s; wrk with one thread;"
        " client, balancer and backends share the cores. Medians, in brackets the lowest and the highest; ratios are"
        " taken round by round.",
        report.conditions(facts),
        report.excluded(samples),
        "## Figures",
        report.medians(samples, scenario.unit),
        "## Bars",
        report.bars(samples, scenario.bars, scenario.unit),
    ]
    if note:
        parts += ["## At a fixed rate", note]
        if list(fixed):
            parts += [report.excluded(fixed), report.medians(fixed, scenario.unit)]
            parts += [report.bars(fixed, [scenario.fixed_rate_bar], scenario.unit)]
    parts += ["## Every run", report.every_run([*samples, *fixed], scenario.unit)]
    return "\n\n".join(part for part in parts if part)
