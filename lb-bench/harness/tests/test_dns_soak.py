import random
import struct
import unittest

from harness import dns_soak, dns_wire, soak_client, soak_names, soak_resolver

_A, _AAAA = 1, 28


def question(name, type_=_A, number=7):
    return struct.pack(">6H", number, 0x0100, 1, 0, 0, 0) + name + struct.pack(">HH", type_, 1)


def query(name, type_=_A):
    return soak_client.PendingQuery(question(name, type_)[12:], name.lower(), type_, 0.0)


def known_of(kind):
    return next(name for name in map(soak_names.known, range(1000)) if soak_names.truth(name, _A).kind == kind)


def unique_of(kind):
    names = (soak_names.unique(b"1", number) for number in range(1000))
    return next(name for name in names if soak_names.truth(name, _A).kind == kind)


class NamesTest(unittest.TestCase):
    def test_the_correct_answer_depends_only_on_name_and_type(self):
        name = known_of(soak_names.EXISTS)

        self.assertEqual(soak_names.truth(name, _A), soak_names.truth(name, _A))
        self.assertEqual(len(soak_names.truth(name, _A).data), 4)
        self.assertEqual(len(soak_names.truth(name, _AAAA).data), 16)
        self.assertEqual(soak_names.truth(name, _A).ttl, soak_names.truth(name, _AAAA).ttl)

    def test_one_in_ten_unique_names_is_silent_and_one_in_ten_fails(self):
        kinds = [soak_names.truth(soak_names.unique(b"1", number), _A).kind for number in range(10_000)]

        self.assertAlmostEqual(kinds.count(soak_names.SILENT) / 10_000, 0.1, delta=0.02)
        self.assertAlmostEqual(kinds.count(soak_names.FAILS) / 10_000, 0.1, delta=0.02)

    def test_repeated_names_are_never_silent(self):
        kinds = {soak_names.truth(soak_names.known(number), _A).kind for number in range(10_000)}

        self.assertEqual(kinds, {soak_names.EXISTS, soak_names.MISSING})

    def test_the_bits_select_the_case(self):
        self.assertEqual(soak_names.random_case(b"\x03abc\x00", 0b101), b"\x03AbC\x00")

    def test_names_are_of_the_requested_kind(self):
        draw = random.Random(1)
        zipf = soak_client.names("zipf", 1000, b"1", draw)
        uniform = soak_client.names("uniform", 1000, b"1", draw)
        unique = soak_client.names("unique", 1000, b"1", draw)

        self.assertLess(len({next(zipf) for _ in range(2000)}), len({next(uniform) for _ in range(2000)}))
        self.assertEqual(len({next(unique) for _ in range(2000)}), 2000)


class ResolverAndClientTest(unittest.TestCase):
    def test_the_client_accepts_the_resolvers_answers(self):
        for kind in (soak_names.EXISTS, soak_names.MISSING):
            for type_ in (_A, _AAAA):
                name = known_of(kind)
                answer = soak_resolver.respond(question(name, type_))

                dns_wire.parse(answer)
                self.assertEqual(soak_client.fault(query(name, type_), answer), ("answered", ""))

    def test_the_case_of_the_question_must_match(self):
        name = soak_names.random_case(known_of(soak_names.EXISTS), 0b11)

        answer = soak_resolver.respond(question(name))

        self.assertEqual(soak_client.fault(query(name), answer), ("answered", ""))
        self.assertEqual(soak_client.fault(query(name.lower()), answer)[1], "not the question of the query")

    def test_a_flood_gets_no_answers_and_failures(self):
        self.assertIsNone(soak_resolver.respond(question(unique_of(soak_names.SILENT))))
        fails = unique_of(soak_names.FAILS)
        self.assertEqual(soak_client.fault(query(fails), soak_resolver.respond(question(fails))), ("failed", ""))

    def test_wrong_data_and_ttls_are_detected(self):
        name = known_of(soak_names.EXISTS)
        answer = bytearray(soak_resolver.respond(question(name)))
        answer[-1] ^= 1
        self.assertIn("data", soak_client.fault(query(name), bytes(answer))[1])
        answer[-1] ^= 1
        answer[-9] = 9
        self.assertIn("TTL", soak_client.fault(query(name), bytes(answer))[1])

    def test_a_missing_name_must_not_exist(self):
        name = known_of(soak_names.MISSING)
        answer = bytearray(soak_resolver.respond(question(name)))
        answer[3] &= 0xF0

        self.assertIn("does not exist", soak_client.fault(query(name), bytes(answer))[1])


class JudgeTest(unittest.TestCase):
    @staticmethod
    def lines(outcomes=None, counted=None, rss=lambda second: 150e6, log="", ended=1.0):
        client = {"sent": 1000, "outcomes": {"answered": 1000, **(outcomes or {})}, "p99_ms": 2.0}
        seen = {"zipf": client, "uniform": client, "unique": client}
        samples = [(second, (rss(second), 4e6, 200, 11)) for second in range(50)]
        return dns_soak.evaluate(seen, {"overloaded": 5, "waiting": 0, **(counted or {})}, samples, log, ended)

    def broken(self, **changes):
        return [line.what for line in self.lines(**changes) if not line.is_met]

    def test_a_good_run_meets_all_conditions(self):
        self.assertEqual(self.broken(), [])

    def test_each_fault_violates_its_condition(self):
        self.assertEqual(self.broken(outcomes={"wrong": 1}), ["wrong answers, or answers to other queries"])
        self.assertEqual(self.broken(outcomes={"lost": 1}), ["queries without an answer"])
        self.assertEqual(self.broken(outcomes={"refused": 31}), ["queries of the two clients that were refused or failed"])
        self.assertEqual(self.broken(counted={"overloaded": 0}), ["refused because the limit was reached"])
        self.assertEqual(self.broken(counted={"waiting": 1}), ["queries waiting at the end"])
        self.assertEqual(self.broken(log="level=ERROR msg=x"), ["errors in its log"])
        self.assertEqual(self.broken(ended=None), ["time to exit after SIGTERM"])

    def test_only_growth_in_the_last_half_counts(self):
        self.assertEqual(self.broken(rss=lambda second: min(150e6, 100e6 + second * 3e6)), [])
        self.assertEqual(self.broken(rss=lambda second: 100e6 + second * 1e6), ["growth of RSS MB in the last half"])
