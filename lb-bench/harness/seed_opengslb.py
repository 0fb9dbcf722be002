"""seed-tables opengslb: OpenGSLB's published tables, with Ballast's figures next to them."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from harness import ballast, compare_dns, conditions, convergence, dns_client, dns_peers, dnsperf, open_ports, javas
from harness import opengslb_report, ports, procfs, report, rounds
from harness.dns_failover import since
from harness.dns_scenarios import ZONE
from harness.samples import Sample, Samples, spread
from harness.template import fill_peer
from harness.workplace import Failure, Workplace, await_true, say

_NOTE = (
    "The published figures are OpenGSLB's own, for four cores of a Xeon at 2.5 GHz, with an unknown method of"
    " measurement; here client and server share the cores given below. Rates and times can therefore not be"
    " compared, but their change from row to row can. `compare dns --scenario one --opengslb PATH` measures both side by"
    " side."
)
_OUTSTANDING = 100
_FIXED_RATE = 10_000
_RULE_BACKENDS = 10
_REST_SECONDS = 3
_MAX_CHECKING_SECONDS = 60
_PERCENTILES = (("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p99.9", 0.999))


@dataclass(frozen=True)
class RoutingRule:
    """A routing rule: its name in the published CPU table, and in the rate table if it is there."""

    name: str
    rate: str = ""
    # Additional keys of a backend, by its number.
    backend_keys: Callable = lambda number: ""
    # Keys of the service; by default the rule selects among the backends of one pool.
    keys: str = "pool: {name}, routing: {name}, answers: 1"
    has_far_pool: bool = False
    zone: str = ZONE
    # dnsperf options.
    options: tuple = ()

    @property
    def host(self):
        return f"{self.name}.{self.zone}"

    def service(self):
        return f"        - {{name: {self.name}, {self.keys.format(name=self.name)}, ttl: 30s}}"

    def pools(self, addresses):
        if not self.has_far_pool:
            return self._pool(self.name, addresses)
        half = (len(addresses) + 1) // 2
        return "\n".join([self._pool(self.name, addresses[:half]), self._pool(f"{self.name}-far", addresses[half:])])

    def _pool(self, name, addresses):
        backends = (
            f'      - {{address: "{address}"{self.backend_keys(number)}}}' for number, address in enumerate(addresses)
        )
        return "\n".join([f"  {name}:", "    backends:", *backends])


_SIGNED_ZONE = f"signed.{ZONE}"
_PLAIN = RoutingRule("round-robin", "plain")
_SIGNED = RoutingRule("signed", "dnssec", keys="pool: {name}, answers: 1", zone=_SIGNED_ZONE, options=dnsperf.SIGNED)
RULES = (
    _PLAIN,
    _SIGNED,
    RoutingRule("weighted", backend_keys=lambda number: f", weight: {(5, 2, 2, 1)[number % 4]}"),
    RoutingRule("failover", backend_keys=lambda number: f", priority: {number}"),
    RoutingRule(
        "geo",
        "geo",
        keys="regions: {{here: {{pool: {name}, answers: 1}}, far: {{pool: {name}-far, answers: 1}}}}",
        has_far_pool=True,
        options=dnsperf.CLIENT_SUBNET,
    ),
    RoutingRule("latency", "latency"),
)


@dataclass(frozen=True)
class QueriedServer:
    """A server and the name to query."""

    name: str
    server: dns_peers.DnsServer
    queries: Path
    options: tuple


def run(options):
    """Returns (report, whether every run was valid)."""
    if not dnsperf.is_installed():
        raise Failure("dnsperf is missing (apt-get install dnsperf)")
    facts = conditions.gather()
    ballast.make_archive(javas.find()[-1])
    parts, good = [], True
    for name in options.tables:
        say(f"table {name}")
        with Workplace() as place:
            text, is_good = TABLES[name](place, options)
        parts.append(text)
        good &= is_good
    version = conditions.tool_version(ballast.lb("version"))
    facts += [("ballast", version), ("dnsperf", conditions.tool_version(["dnsperf", "-h"]))]
    return "\n\n".join(["# seed-tables opengslb", _NOTE, report.conditions(facts), *parts]), good


def start(place, rules, addresses, name="ballast"):
    """Starts Ballast with these rules, each over all of the addresses."""
    port, dashboard_port = ports.free(ports.DNS), ports.free()
    values = {"port": port, "dashboard_port": dashboard_port, "services": "", "signed_services": "", "pools": ""}
    if rules and addresses:
        for key, zone in (("services", ZONE), ("signed_services", _SIGNED_ZONE)):
            services = [rule.service() for rule in rules if rule.zone == zone]
            values[key] = "\n".join(["      services:", *services]) if services else ""
        values["pools"] = "\n".join(["pools:", *(rule.pools(addresses) for rule in rules)])
    values["data_dir"] = place.subdirectory(f"{name}-data")
    return ballast.Ballast(place, fill_peer("dns/opengslb/ballast.yaml", values), port, dashboard_port, name=name)


def _queried(place, server, rule, name):
    queries = place.write(f"queries-{name}", f"{rule.host} A\n")
    await_true(lambda: dns_client.answer_count(server.port, rule.host) == 1, f"{rule.name} to answer", 10, server.started)
    return QueriedServer(name, server, queries, rule.options)


def _measured(queried, options):
    """Measures maximum rates, interleaved."""
    for each in queried:
        if options.warmup:
            say(f"warming up {each.name}, {options.warmup} s")
            dnsperf.run(each.server.port, each.queries, _OUTSTANDING, options.warmup, options=each.options)

    def one(each, outstanding, number):
        sample = compare_dns.measure(each.server, each.queries, outstanding, options.seconds, number, each.options)
        return Sample(each.name, sample.load, number, sample.figures, sample.faults)

    return rounds.run(queried, (_OUTSTANDING,), options.rounds, one, compare_dns.UNIT)


def _at_fixed_rate(queried, options):
    """Measures CPU in percent of one core and response times at a fixed rate, interleaved."""

    def one(each, rate, number):
        cpu = procfs.cpu_seconds(each.server.started.pid)
        seen, times = dnsperf.run_timed(
            each.server.port, each.queries, _OUTSTANDING, options.seconds, rate, each.options
        )
        cpu = procfs.cpu_seconds(each.server.started.pid) - cpu
        figures = {"rate": seen.rate, "cpu_percent": cpu / seen.seconds * 100, "requests": seen.completed}
        figures |= {label: dnsperf.percentile(times, share) for label, share in _PERCENTILES}
        faults = compare_dns.faults(seen)
        if seen.rate < 0.97 * rate:
            faults.append(f"reached {seen.rate:,.0f} of {rate:,} queries/s")
        return Sample(each.name, f"{rate:,} queries/s", number, figures, faults)

    return rounds.run(queried, (_FIXED_RATE,), options.rounds, one, compare_dns.UNIT)


def _rules(place, options):
    with open_ports.OpenPorts(_RULE_BACKENDS) as opened:
        server = dns_peers.serving(start(place, RULES, opened.addresses))
        queried = [_queried(place, server, rule, rule.name) for rule in RULES]
        fast = _measured(queried, options)
        fixed = _at_fixed_rate(queried, options)
    rows = []
    for rule in RULES:
        theirs = opengslb_report.RATES.get(rule.rate)
        rows.append(
            [
                rule.name,
                _form(fast, rule, "rate", "{:,.0f}"),
                _form(fast, rule, "cpu", "{:.2f}"),
                f"{theirs.median:,} / {theirs.p99:,}" if theirs else "–",
                _form(fixed, rule, "cpu_percent", "{:.0f}"),
                str(opengslb_report.CPU.get(rule.name, "–")),
            ]
        )
    header = [
        *("rule", "queries/s", "CPU µs", "published queries/s, median / p99"),
        *(f"CPU % of one core at {_FIXED_RATE:,} queries/s", "published CPU %"),
    ]
    times = [[rule.name, *(_form(fixed, rule, label, "{:.2f}") for label, _ in _PERCENTILES)] for rule in RULES]
    times.append(["published, plain", *(f"{opengslb_report.TIMES[label]:.1f}" for label, _ in _PERCENTILES)])
    return "\n\n".join(
        part
        for part in [
            "## By routing rule",
            f"{_RULE_BACKENDS} backends, for `geo` in two pools, one address per answer. {options.rounds} rounds of {options.seconds} s; medians,"
            " with lowest and highest in brackets.",
            report.excluded(_joined(fast, fixed)),
            report.table(header, rows),
            f"Response times in ms at {_FIXED_RATE:,} queries/s; the rate of the published ones is unknown.",
            report.table(["rule", *(label for label, _ in _PERCENTILES)], times),
        ]
        if part
    ), not fast.faulty() and not fixed.faulty()


def _backends(place, options):
    counts = opengslb_report.BY_BACKENDS
    with open_ports.OpenPorts(max(counts)) as opened:
        queried = []
        for count in counts:
            rules = {str(count): _PLAIN, _signed(count): _SIGNED}
            running = start(place, list(rules.values()), opened.addresses[:count], name=f"ballast-{count}")
            server = dns_peers.serving(running)
            queried += [_queried(place, server, rule, name) for name, rule in rules.items()]
        samples = _measured(queried, options)
    rows = []
    least = min(counts)
    for column, label in enumerate((str, _signed)):
        for count, theirs in counts.items():
            figures = [samples.spread(label(count), samples.loads()[0], figure) for figure in ("rate", "cpu")]
            share = samples.ratio(label(count), label(least), samples.loads()[0], "rate")
            rows.append(
                [
                    label(count),
                    _spread(figures[0], "{:,.0f}"),
                    _spread(figures[1], "{:.2f}"),
                    _spread(share, "{:.2f}"),
                    f"{theirs[column]:,}",
                    f"{theirs[column] / counts[least][column]:.2f}",
                ]
            )
    header = ["backends", "queries/s", "CPU µs", f"relative to {least}", "published queries/s", "relative"]
    parts = [
        "## By number of backends",
        "One process per number, round robin, every backend checked by TCP every 5 s; `signed` is the same name in a"
        " signed zone, queried with DO.",
        report.excluded(samples),
        report.table(header, rows),
    ]
    return "\n\n".join(part for part in parts if part), not samples.faulty()


def _signed(count):
    return f"{count} signed"


def _memory(place, options):
    rows = []
    with open_ports.OpenPorts(max(opengslb_report.MEMORY)) as opened:
        for count, theirs in opengslb_report.MEMORY.items():
            say(f"{count} backends")
            running = start(place, [_PLAIN], opened.addresses[:count], name=f"ballast-{count}")
            _await_checked(running, count)
            time.sleep(_REST_SECONDS)
            rows.append([f"{count:,}", f"{procfs.memory_bytes(running.started.pid) / 1e6:.0f}", str(theirs)])
            running.started.stop()
    return "\n\n".join(
        [
            "## Memory",
            f"Resident, {_REST_SECONDS} s after every backend was detected as up, without queries. MB are 10⁶ bytes.",
            report.table(["backends", "RSS MB", "published MB"], rows),
        ]
    ), True


def _await_checked(running, count):
    """Returns when the last backend was detected as up, in seconds since 1970."""
    end = time.monotonic() + _MAX_CHECKING_SECONDS
    while True:
        # Querying thousands of backends has a cost, so it is done less often.
        time.sleep(0.05 + count / 5000)
        seen = (running.stats() or {"backends": []})["backends"]
        if [backend["state"] for backend in seen].count("up") == count:
            return max((since(backend) for backend in seen), default=time.time())
        running.started.require_running()
        if time.monotonic() > end:
            raise Failure(f"timeout after {_MAX_CHECKING_SECONDS} s waiting for {count} backends to be up")


def _registration(place, options):
    rows, good = [], True
    with open_ports.OpenPorts(max(opengslb_report.REGISTRATION)) as opened:
        for count, theirs in opengslb_report.REGISTRATION.items():
            say(f"{count} backends")
            try:
                answering, checked = _registered(place, opened.addresses[:count])
            except Failure as failure:
                # The other figures are still valid.
                say(str(failure))
                rows.append([f"{count:,}", "–", "–", f"< {theirs:g}", f"**failed**: {str(failure).splitlines()[-1]}"])
                good = False
                continue
            good &= answering <= theirs
            rows.append([f"{count:,}", f"{answering:.2f}", f"{checked:.2f}", f"< {theirs:g}", _result(answering, theirs)])
    return "\n\n".join(
        [
            "## Registration",
            "From the start of the process, including Java, until it answers with all of them; and until it has also detected"
            " each of them as up.",
            report.table(["backends", "answering after s", "all up after s", "published s", ""], rows),
        ]
    ), good


def _registered(place, addresses):
    """Returns seconds from the start until there is an answer, and until all are checked."""
    begin = time.time()
    running = start(place, [_PLAIN], addresses, name=f"ballast-{len(addresses)}")
    await_true(lambda: dns_client.answer_count(running.port, _PLAIN.host) == 1, "an answer", 60, running.started)
    answering = time.time() - begin
    checked = _await_checked(running, len(addresses)) - begin
    running.started.stop()
    return answering, checked


def _result(value, most):
    return "met" if value <= most else "**not met**"


def _convergence(place, options):
    rows, good = [], True
    for count, theirs in opengslb_report.CONVERGENCE.items():
        say(f"{count} backends down and up")
        down, up = convergence.measure(place, count)
        good &= max(down, up) <= theirs
        most = f"< {theirs * 1e3:.0f}"
        rows.append([str(count), f"{down * 1e3:.0f}", f"{up * 1e3:.0f}", most, _result(max(down, up), theirs)])
    return "\n\n".join(
        [
            "## Convergence",
            f"Of {convergence.BACKENDS} backends some refuse connections, and later accept them again. From the last health"
            f" decision until no answer is outdated, to {convergence.STEP_MS} ms.",
            report.table(["backends", "down, ms", "up, ms", "published ms", ""], rows),
        ]
    ), good


def _form(samples, rule, figure, form):
    return _spread(samples.spread(rule.name, samples.loads()[0], figure), form)


def _spread(values, form):
    if values is None:
        return "–"
    return f"{form.format(values.middle)} ({form.format(values.low)}–{form.format(values.high)})"


def _joined(*all_samples):
    joined = Samples()
    for samples in all_samples:
        for sample in samples:
            joined.add(sample)
    return joined


TABLES = {
    "rules": _rules,
    "backends": _backends,
    "memory": _memory,
    "registration": _registration,
    "convergence": _convergence,
}
