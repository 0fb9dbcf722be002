import unittest
from dataclasses import replace
from random import Random
from unittest.mock import patch

from harness import differential_questions, differential_rules, differential_zone, dns_differential, dns_wire
from harness.differential_questions import Question
from harness.dns_wire import Message, Record

_HOST = Record("host.bench.example.", "A", 30, "192.0.2.1")
_SOA = Record("bench.example.", "SOA", 30, "")


def message(answer=(), authority=(), additional=(), rcode="NOERROR", flags=("qr", "aa")):
    return Message(1, flags, rcode, b"", answer, authority, additional)


def unexplained(theirs, ours, type_="A"):
    question = Question("existing", "host.bench.example", type_, False, None, False, False)
    found = differential_rules.differences(theirs, ours)
    return [difference.part for difference in differential_rules.explain(question, theirs, ours, found)[1]]


def aliases(count):
    return tuple(Record(f"chain{n}.bench.example.", "CNAME", 30, f"chain{n + 1}.bench.example.") for n in range(count))


class GeneratedTest(unittest.TestCase):
    def setUp(self):
        random = Random(1)
        self.zone = differential_zone.make(random)
        self.questions = differential_questions.make(self.zone, random, 2000)

    def test_a_seed_generates_the_same_zone_and_queries(self):
        random = Random(1)
        zone = differential_zone.make(random)

        self.assertEqual(zone, self.zone)
        self.assertEqual(differential_questions.make(zone, random, 2000), self.questions)
        self.assertNotEqual(differential_zone.make(Random(2)).text, zone.text)

    def test_every_kind_of_name_is_queried_with_every_type_in_several_ways(self):
        self.assertGreaterEqual(len(self.questions), 2000)
        for kind in self.zone.names:
            matching = [question for question in self.questions if question.kind == kind]
            with self.subTest(kind):
                self.assertEqual(len({question.type for question in matching}), len(dns_wire.TYPES) - 1 + 2)
                self.assertEqual({question.over_tcp for question in matching}, {True, False})
                self.assertIn(None, {question.edns_size for question in matching})

    def test_a_set_has_one_ttl_and_no_record_twice(self):
        records = [line.split(" ", 3) for line in self.zone.text.splitlines()[1:]]
        ttls = {}
        for owner, ttl, type_, _ in records:
            ttls.setdefault((owner.lower(), type_), set()).add(ttl)

        self.assertTrue(all(len(each) == 1 for each in ttls.values()))
        self.assertEqual(len({tuple(record) for record in records}), len(records))

    def test_every_query_can_be_encoded(self):
        for question in self.questions:
            self.assertEqual(dns_wire.parse(question.message(5)).id, 5)


class RulesTest(unittest.TestCase):
    def test_the_order_of_records_is_no_difference(self):
        other = Record("host.bench.example.", "A", 30, "192.0.2.2")

        self.assertEqual(unexplained(message((_HOST, other)), message((other, _HOST))), [])

    def test_ttls_flags_and_repeated_records_are_differences(self):
        slower = Record(_HOST.name, "A", 60, _HOST.data)

        self.assertEqual(unexplained(message((_HOST,)), message((slower,))), ["answer"])
        self.assertEqual(unexplained(message(flags=("qr",)), message()), ["flags"])
        self.assertEqual(unexplained(message((_HOST,)), message((_HOST, _HOST))), ["records twice"])
        self.assertEqual(unexplained(message((_HOST, _HOST)), message((_HOST,))), [])

    def test_truncated_responses_may_differ(self):
        cut = ("qr", "aa", "tc")

        self.assertEqual(unexplained(message((_HOST,), flags=cut), message(flags=cut)), [])
        self.assertEqual(unexplained(message((_HOST,)), message(flags=cut)), ["flags", "answer"])

    def test_additional_addresses_are_optional_except_in_a_referral(self):
        mail = Record("bench.example.", "MX", 30, "host.bench.example.")
        cut = Record("child.bench.example.", "NS", 30, "host.bench.example.")

        self.assertEqual(unexplained(message((mail,), (), (_HOST,)), message((mail,))), [])
        self.assertEqual(unexplained(message((mail,)), message((mail,), (), (_HOST,))), ["additional"])
        self.assertEqual(unexplained(message((), (cut,), (_HOST,)), message((), (cut,))), ["additional"])

    def test_aliases_may_be_followed_further(self):
        self.assertEqual(unexplained(message(aliases(5)), message(aliases(16))), [])
        self.assertEqual(unexplained(message(aliases(4)), message(aliases(16))), ["answer"])

    def test_a_too_long_dname_target_may_have_its_own_rcode(self):
        dname = Record("short.bench.example.", "DNAME", 30, "long.")

        theirs = message((dname,), (_SOA,), rcode="NXDOMAIN")
        self.assertEqual(unexplained(theirs, message((dname,), rcode="YXDOMAIN")), [])
        self.assertEqual(unexplained(theirs, message((dname,), rcode="SERVFAIL")), ["rcode", "authority"])

    def test_a_dname_loop_may_end_at_the_repetition(self):
        there, back = (Record(f"{name}.bench.example.", "DNAME", 30, "other.") for name in ("there", "back"))

        self.assertEqual(unexplained(message((there, back, *aliases(3))), message((there, back, *aliases(2)))), [])
        self.assertEqual(unexplained(message((there, *aliases(3))), message((there, *aliases(2)))), ["answer"])
        self.assertEqual(unexplained(message((there, back)), message((there, back, *aliases(1)))), ["answer"])


class FakeServers:
    """Responses by port, where 1 is theirs and 2 is ours, with one response over UDP and one over TCP."""

    def __init__(self, udp, tcp):
        self._responses = {False: udp, True: tcp}

    def __call__(self, port, question, number):
        return self._responses[question.over_tcp][port - 1]


class CutTest(unittest.TestCase):
    """One server truncated its response, the other did not."""

    def compare(self, our_whole):
        question = Question("existing", "host.bench.example", "A", False, None, False, False)
        servers = FakeServers((message((_HOST,)), message(flags=("qr", "aa", "tc"))), (message((_HOST,)), our_whole))
        with patch.object(dns_differential, "_answer", servers):
            return dns_differential.compare([question], 1, 2)

    def test_too_long_responses_are_compared_over_tcp(self):
        findings = self.compare(replace(message((_HOST,)), length=513))

        self.assertEqual(findings.unexplained, [])
        self.assertEqual(list(findings.rules), ["longer on the wire"])

    def test_a_fitting_response_must_not_be_truncated(self):
        findings = self.compare(replace(message((_HOST,)), length=512))

        self.assertEqual([each.part for _, found in findings.unexplained for each in found], ["flags"])

    def test_complete_responses_must_be_equal(self):
        findings = self.compare(replace(message(), length=513))

        self.assertEqual([each.part for _, found in findings.unexplained for each in found], ["answer"])
