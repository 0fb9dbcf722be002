"""The program behind lb-bench/dns-differential: the same zone and the same queries for two servers."""

import argparse
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from harness import ballast, conditions, differential_questions, differential_rules, differential_zone, dns_client
from harness import dns_peers, dns_wire, ports, report
from harness.dns_scenarios import ZONE
from harness.template import fill_peer
from harness.workplace import Workplace, await_true, run_program, say

_MIN_COUNT = 2000
# Number of examples per kind of difference.
_SHOWN = 3


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("dns-differential", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="dns-differential",
        description="Sends the same queries for the same zone to Knot and Ballast; differences must be explained by a rule.",
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the zone and the queries (%(default)s)")
    parser.add_argument("--questions", type=int, default=_MIN_COUNT, help="minimum number of queries (%(default)s)")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="write the zone file to FILE")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


@dataclass
class Tally:
    """The counts of one kind of name: queries, equal answers, explained differences, unexplained ones."""

    queries: int = 0
    alike: int = 0
    explained: int = 0
    unexplained: int = 0


@dataclass
class Findings:
    """`rules` maps a rule's name to [(query, differences)]; `unexplained` has (query, differences)."""

    tallies: dict = field(default_factory=dict)
    codes: dict = field(default_factory=dict)
    rules: dict = field(default_factory=dict)
    unexplained: list = field(default_factory=list)


def _run(options):
    if shutil.which("knotd") is None:
        message = "dns-differential: SKIPPED, knotd is missing (apt-get install knot)"
        say(message)
        return message, True
    random = Random(options.seed)
    zone = differential_zone.make(random)
    questions = differential_questions.make(zone, random, options.questions)
    if options.keep:
        options.keep.write_text(zone.text)
    with Workplace() as place:
        facts = conditions.gather()
        theirs = dns_peers.run_knot(place, "dns/differential/knot.conf", zone.text)
        ours = _start_ballast(place, zone)
        for server in (theirs, ours):
            await_true(lambda: dns_client.answer_count(server.port, ZONE), f"{server.name} to answer", 10, server.started)
            facts.append((server.name, server.version))
        say(f"asking {len(questions):,} questions")
        findings = compare(questions, theirs.port, ours.port)
        for server in (theirs, ours):
            server.started.require_running()
    return _report(options, facts, zone, questions, findings), not findings.unexplained


def _start_ballast(place, zone):
    port, dashboard_port = ports.free(ports.DNS), ports.free()
    values = {"port": port, "dashboard_port": dashboard_port, "zone": place.write("bench.example.zone", zone.text)}
    config = fill_peer("dns/differential/ballast.yaml", values)
    return dns_peers.serving(ballast.Ballast(place, config, port, dashboard_port))


def compare(questions, their_port, our_port):
    findings = Findings()
    for number, question in enumerate(questions):
        tally = findings.tallies.setdefault(question.kind, Tally())
        tally.queries += 1
        theirs, ours, found = _compare(question, number & 0xFFFF, their_port, our_port, findings)
        if isinstance(theirs, dns_wire.Message):
            findings.codes[theirs.rcode] = findings.codes.get(theirs.rcode, 0) + 1
        if not found:
            tally.alike += 1
            continue
        explained, unexplained = differential_rules.explain(question, theirs, ours, found)
        for rule, those in explained.items():
            findings.rules.setdefault(rule, []).append((question, those))
        if unexplained:
            tally.unexplained += 1
            findings.unexplained.append((question, unexplained))
        else:
            tally.explained += 1
    return findings


def _compare(question, number, their_port, our_port, findings):
    """Returns (their response, ours, differences)."""
    theirs, ours = (_answer(port, question, number) for port in (their_port, our_port))
    found = _compared(theirs, ours)
    cut = next((each for each in found if each.part == "flags" and ("tc" in each.theirs) != ("tc" in each.ours)), None)
    if cut is None:
        return theirs, ours, found
    theirs, ours = (_answer(port, replace(question, over_tcp=True), number) for port in (their_port, our_port))
    whole = ours if "tc" in cut.ours else theirs
    if getattr(whole, "length", 0) <= question.udp_limit:
        return theirs, ours, [cut, *_compared(theirs, ours)]
    findings.rules.setdefault(differential_rules.LONGER.name, []).append((question, [cut]))
    return theirs, ours, _compared(theirs, ours)


def _answer(port, question, number):
    """Returns the response, or a text with the reason why there is none."""
    exchange = dns_client.exchange_tcp if question.over_tcp else dns_client.exchange
    try:
        message = dns_wire.parse(exchange(port, question.message(number)))
    except (OSError, dns_wire.Malformed) as e:
        return f"no response: {e}"
    return message if message.id == number else f"response with id {message.id} instead of {number}"


def _compared(theirs, ours):
    if isinstance(theirs, dns_wire.Message) and isinstance(ours, dns_wire.Message):
        return differential_rules.differences(theirs, ours)
    return [] if theirs == ours else [differential_rules.Difference("response", theirs, ours)]


def _report(options, facts, zone, questions, findings):
    rows = [
        [kind, str(t.queries), str(t.alike), str(t.explained), f"**{t.unexplained}**" if t.unexplained else "0"]
        for kind, t in sorted(findings.tallies.items())
    ]
    tallies = findings.tallies.values()
    rows.append(["all", *(f"{sum(getattr(t, name) for t in tallies):,}" for name in ("queries", "alike", "explained", "unexplained"))])
    codes = ", ".join(f"{code} {count:,}" for code, count in sorted(findings.codes.items()))
    parts = [
        "# dns-differential",
        f"The same zone ({len(zone.text.splitlines()):,} lines, seed {options.seed}) served by Knot and by Ballast, and the"
        f" same {len(questions):,} queries: each name with each type, over UDP without and with EDNS of several sizes and"
        " over TCP, in mixed case. The comparison covers rcode, flags, question, sections as sets with TTLs, and EDNS.",
        report.conditions(facts),
        f"Knot's codes: {codes}.",
        report.table(["kind of name", "questions", "alike", "explained", "unexplained"], rows),
    ]
    for rule in (*differential_rules.RULES, differential_rules.LONGER):
        cases = findings.rules.get(rule.name, [])
        if cases:
            parts += [f"## Explained: {rule.name} ({len(cases)})", rule.reason, _cases(cases[:_SHOWN])]
    if findings.unexplained:
        parts.append(f"## Unexplained ({len(findings.unexplained)})")
        for title, cases in grouped(findings.unexplained).items():
            parts += [f"### {title} ({len(cases)})", _cases(cases[:_SHOWN])]
    parts.append("**Failed**: answers differ." if findings.unexplained else "Every difference is explained.")
    return "\n\n".join(parts)


def grouped(cases):
    """Groups cases by kind of name and difference: most of one group have the same cause."""
    groups = {}
    for question, found in cases:
        groups.setdefault(f"{question.kind}: {', '.join(each.part for each in found)}", []).append((question, found))
    return groups


def _cases(cases):
    return "\n".join(line for question, found in cases for line in [f"- `{question}` ({question.kind})", *map(_difference, found)])


def _difference(difference):
    if isinstance(difference.theirs, frozenset):
        only_theirs, only_ours = difference.theirs - difference.ours, difference.ours - difference.theirs
        return f"  - {difference.part}: only Knot {_records(only_theirs)}; only Ballast {_records(only_ours)}"
    return f"  - {difference.part}: Knot `{difference.theirs}`, Ballast `{difference.ours}`"


def _records(records):
    shown = [f"`{record}`"[:120] for record in sorted(records)[:4]]
    return ", ".join(shown) + (f" and {len(records) - 4} more" if len(records) > 4 else "") if shown else "nothing"
