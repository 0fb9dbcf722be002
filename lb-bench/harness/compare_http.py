"""compare http: starts everything, warms up, runs the rounds, writes the report; one scenario after the other."""

from harness import backends, conditions, java, loopback, measure, openloop, peers, procfs, report, rounds, wrk
from harness.samples import Samples
from harness.scenarios import REFERENCE, SCENARIOS
from harness.workplace import Failure, run_scenarios, say

# Native code needs no JIT warm-up, only its connections.
_NATIVE_WARMUP_SECONDS = 2
# How the reference's maximum is measured if no closed loop is requested.
_FINDING_CONNECTIONS = 512
_FINDING_RUNS = 3


def run(options, scenarios=SCENARIOS):
    """Returns (report, whether every run was valid)."""
    if not wrk.is_installed():
        raise Failure("wrk is missing (apt-get install wrk)")
    return run_scenarios("http", options.scenario, lambda place, name: _scenario(place, scenarios[name].prepare(place), options))


def _scenario(place, scenario, options):
    facts = conditions.gather()
    if scenario.shares and not options.no_fixed_rate:
        java.jar()  # now, because its build also builds Ballast, which must not be running
    served_by = backends.start(
        place, scenario.backends, scenario.slow_backends, scenario.slow_ms, scenario.one_backend_process
    )
    before = [peers.BEFORE] if options.before else []
    running, missing = rounds.start(
        peers.with_before(peers.KNOWN, options.before),
        ["ballast", *before, *(name for name in options.peers if name in scenario.able_peers)],
        lambda starter: starter(place, scenario, served_by),
        lambda peer: _answers(peer, scenario),
    )
    facts += [(peer.name, peer.version) for peer in running]
    facts += [("wrk", conditions.tool_version(["wrk", "-v"]))] + [("Not compared", m) for m in missing]
    facts += _ballast_at_rest(running[0])
    loads = options.connections or scenario.connections
    _warm_up(running, scenario, loads or (_FINDING_CONNECTIONS,), options.warmup)

    def one(peer, connections, number):
        return measure.closed_loop(peer, scenario, served_by, connections, options.seconds, number)

    samples = rounds.run(running, loads, options.rounds, one, scenario.unit) if loads else Samples()
    fixed, notes = _fixed_rates(place, running, scenario, served_by, samples, options)
    complete = not samples.faulty() and not fixed.faulty()
    if scenario.shares and not options.no_fixed_rate:
        facts.append(("Load generator", f"io.ballast.bench.load.OpenLoop, Java {java.version()}"))
    return _report(scenario, facts, options, samples, fixed, notes), complete


def _answers(peer, scenario):
    """Returns whether the peer is ready. A peer that does not do the scenario's work is a failure."""
    url = measure.url(peer, scenario)
    headers = loopback.head(url, scenario.headers)
    if headers is None:
        return False
    without = loopback.status(url)
    if without != scenario.status_without_headers:
        raise Failure(f"{peer.name}: {without} without headers (expected: {scenario.status_without_headers})")
    name, value = scenario.response_header or ("Date", None)
    if value is not None and headers.get(name) != value:
        raise Failure(f"{peer.name}: {name}: {headers.get(name)} (expected: {value})")
    return True


def _ballast_at_rest(ballast):
    memory = procfs.memory_bytes(ballast.started.pid) / 1e6
    return [
        ("Ballast ready after", f"{ballast.start_seconds:.2f} s (bar: ≤ 1.0 s)"),
        ("Ballast's RSS then", f"{memory:.0f} MB (bar: ≤ 120 MB)"),
    ]


def _warm_up(running, scenario, loads, seconds):
    for peer in running:
        for connections in loads:
            length = seconds if peer.name.startswith("ballast") else min(seconds, _NATIVE_WARMUP_SECONDS)
            if length:
                say(f"warming up {peer.name}, {connections} connections, {length} s")
                wrk.run(measure.url(peer, scenario), connections, length, headers=scenario.headers)


def _fixed_rates(place, running, scenario, served_by, samples, options):
    """Returns (samples, notes on the method, or why it was skipped)."""
    if not scenario.shares or options.no_fixed_rate:
        return Samples(), []
    most = _most(running, scenario, served_by, samples, options)
    if most is None:
        note = f"Skipped: there is no rate of {REFERENCE} to take a share of."
        say(note)
        return Samples(), [note]
    generator = openloop.Generator(place)
    rates = {share: most * share for share in scenario.shares}
    say("warming up the load generator")
    openloop.warm_up(generator, running, scenario, min(rates.values()), max(2, options.seconds // 2))

    def one(peer, share, number):
        return openloop.run(generator, peer, scenario, served_by, share, rates[share], options.seconds, number)

    found = rounds.run(running, scenario.shares, options.rounds, one, scenario.unit)
    notes = [f"The maximum of {REFERENCE} was {most:,.0f} requests/s. Response times start when a request is due."]
    notes += [f"- {openloop.load_name(share)}: {rate:,.0f} requests/s" for share, rate in rates.items()]
    return found, notes


def _most(running, scenario, served_by, samples, options):
    """Returns the reference's maximum requests per second, from the closed loops or from additional ones."""
    loads = samples.loads()
    if not loads:
        reference = [peer for peer in running if peer.name == REFERENCE]
        if not reference:
            return None
        loads = [f"{_FINDING_CONNECTIONS} connections"]
        say(f"measuring the maximum of {REFERENCE}")
        samples = rounds.run(
            reference,
            (_FINDING_CONNECTIONS,),
            _FINDING_RUNS,
            lambda peer, load, number: measure.closed_loop(peer, scenario, served_by, load, options.seconds, number),
            scenario.unit,
        )
    reached = [spread.middle for load in loads if (spread := samples.spread(REFERENCE, load, "rate"))]
    return max(reached, default=None)


def _report(scenario, facts, options, samples, fixed, notes):
    parts = [
        f"# compare http: {scenario.name}",
        f"{scenario.about}. Rounds: {options.rounds}, of {options.seconds} s; client, balancer and backends share the"
        " cores. Medians, with lowest and highest in brackets; ratios are computed round by round.",
        report.conditions(facts),
    ]
    if list(samples):
        parts += ["## At maximum rate", "A closed loop by wrk with one thread."]
        parts += _figures(scenario, samples, scenario.bars, scenario.figures)
        parts += [report.ceilings(samples, scenario.ceilings)]
    if notes:
        parts += ["## At a fixed rate", "\n".join([notes[0], "", *notes[1:]]) if notes[1:] else notes[0]]
    if list(fixed):
        # The rate is fixed, so it is not compared.
        parts += _figures(scenario, fixed, scenario.fixed_rate_bars, ("cpu", "p50", "p99", "p99_9"))
    parts += ["## Every run", report.every_run([*samples, *fixed], scenario.unit)]
    return "\n\n".join(part for part in parts if part)


def _figures(scenario, samples, bars, figures):
    return [
        report.excluded(samples),
        report.medians(samples, scenario.unit),
        report.ratios(samples, bars, scenario.unit, figures),
    ]
