import unittest

from harness import dns_failover, dns_watch, dnsperf
from harness.dns_failover import Timeline
from harness.dns_watch import WatchedAnswer

_A, _B = "127.1.0.1", "127.1.0.2"


def queries(lost=0, rate=1000):
    return dnsperf.Queries(rate, rate - lost, lost, 0, 1.0, 0.1, 1.0, 100)


class WatchTest(unittest.TestCase):
    def setUp(self):
        self.seen = [
            WatchedAnswer(1.0, (_A, _B), 30),
            WatchedAnswer(2.0, (_A, _B), 30),
            WatchedAnswer(3.0, (_A, _B), 5),
            WatchedAnswer(4.0, (_A,), 5),
            WatchedAnswer(5.0, (_A, _B), 30),
        ]

    def test_only_changes_of_addresses_or_ttl_are_returned(self):
        self.assertEqual([s.at for s in dns_watch.changes(self.seen)], [1.0, 3.0, 4.0, 5.0])

    def test_the_last_answer_with_the_backend_is_between_kill_and_restart(self):
        self.assertEqual(dns_watch.last_naming(self.seen, _B, 1.5, 5.0), 3.0)
        self.assertEqual(dns_watch.first_without(self.seen, _B, 1.5), 4.0)
        self.assertIsNone(dns_watch.last_naming(self.seen, _B, 3.5, 5.0))
        self.assertIsNone(dns_watch.first_without(self.seen, _A, 0))

    def test_ttls_are_limited_to_a_period(self):
        self.assertEqual(dns_watch.ttls(self.seen, 0, 4), (5, 30))
        self.assertIsNone(dns_watch.ttls(self.seen, 6, 7))


class ProblemsTest(unittest.TestCase):
    def problems(self, load=None, **changed):
        times = {"killed": 10.0, "decided_down": 13.0, "last_bad": 13.1, "absent": 13.2, "returned": 15.0}
        times |= {"decided_up": 16.0, "back": 16.1, "end": 20.0, **changed}
        return dns_failover.problems(Timeline(**times), load or queries(), [], 1000)

    def test_answers_that_follow_immediately_are_no_problem(self):
        self.assertEqual(self.problems(), [])
        self.assertEqual(self.problems(last_bad=None), [])

    def test_answers_that_lag_behind_the_checks_are_a_problem(self):
        self.assertEqual(self.problems(last_bad=14.5), ["an answer contained it 1.50 s after it was down (expected: <= 1 s)"])

    def test_answers_that_never_follow_are_a_problem(self):
        self.assertEqual(self.problems(absent=None), ["the answers contained the killed backend until the end"])
        self.assertEqual(self.problems(back=None), ["the answers did not contain it again"])

    def test_one_lost_query_is_a_problem(self):
        self.assertEqual(self.problems(queries(lost=1)), ["1 of 1000 queries lost"])

    def test_a_missed_rate_is_a_problem(self):
        self.assertEqual(self.problems(queries(rate=800)), ["reached 800 of 1,000 queries/s"])


class SinceTest(unittest.TestCase):
    def test_instants_have_any_number_of_digits(self):
        for text, seconds in (("00:00:01Z", 1), ("00:00:01.5Z", 1.5), ("00:00:01.123456789Z", 1.123456789)):
            with self.subTest(text):
                self.assertAlmostEqual(dns_failover.since({"since": f"1970-01-01T{text}"}), seconds)
