import unittest

from harness import measure, report, rounds
from harness.samples import Sample, Samples
from harness.bars import Bar, Ceiling


def sample(peer, number, rate, faults=()):
    return Sample(peer, "128 connections", number, {"rate": rate, "cpu": 1e6 / rate}, list(faults))


class SamplesTest(unittest.TestCase):
    def setUp(self):
        self.samples = Samples()
        for number, (ours, theirs) in enumerate([(110, 100), (60, 50), (90, 100)], start=1):
            self.samples.add(sample("ballast", number, ours))
            self.samples.add(sample("haproxy", number, theirs))

    def test_ratios_are_computed_per_round(self):
        ratio = self.samples.ratio("ballast", "haproxy", "128 connections", "rate")

        self.assertAlmostEqual(ratio.middle, 1.1)
        self.assertAlmostEqual(ratio.low, 0.9)
        self.assertAlmostEqual(ratio.high, 1.2)

    def test_a_run_with_faults_is_ignored(self):
        self.samples.add(sample("ballast", 4, 1000, ["2 read errors"]))
        self.samples.add(sample("haproxy", 4, 100))

        self.assertEqual(self.samples.ratio("ballast", "haproxy", "128 connections", "rate").count, 3)
        self.assertIn("round 4, ballast, 128 connections: 2 read errors", report.excluded(self.samples))

    def test_without_a_common_round_there_is_no_ratio(self):
        self.assertIsNone(self.samples.ratio("ballast", "nginx", "128 connections", "rate"))


class BarTest(unittest.TestCase):
    def test_rates_have_floors_and_costs_have_ceilings(self):
        self.assertTrue(Bar("haproxy", "rate", 1.05, 1.2).is_met(1.05))
        self.assertFalse(Bar("haproxy", "rate", 1.05, 1.2).is_met(1.04))
        self.assertTrue(Bar("haproxy", "cpu", 0.85, 0.68).is_met(0.85))
        self.assertFalse(Bar("haproxy", "cpu", 0.85, 0.68).is_met(0.86))

    def test_a_missed_bar_is_in_the_table(self):
        samples = Samples()
        samples.add(sample("ballast", 1, 100))
        samples.add(sample("haproxy", 1, 100))

        table = report.ratios(samples, [Bar("haproxy", "rate", 1.05, 1.2)], "requests/s", ["rate"])

        self.assertIn(
            "| 128 connections | haproxy | requests/s | 1.00 (1.00–1.00) | ≥ 1.05 | 1.20 | **not met** |", table
        )


    def test_a_bar_for_one_load_does_not_apply_to_others(self):
        bar = Bar("haproxy", "p99", 1.1, 0.9, load="fixed rate, 50%")

        self.assertTrue(bar.is_for("haproxy", "p99", "fixed rate, 50%"))
        self.assertFalse(bar.is_for("haproxy", "p99", "128 connections"))

    def test_peers_without_a_bar_are_compared_too(self):
        samples = Samples()
        samples.add(sample("ballast", 1, 100))
        samples.add(sample("nginx", 1, 50))

        table = report.ratios(samples, [], "requests/s", ["rate"])

        self.assertIn("| 128 connections | nginx | requests/s | 2.00 (2.00–2.00) | – | – |  |", table)

    def test_absolute_figures_have_a_ceiling(self):
        samples = Samples()
        samples.add(Sample("ballast", "1000 connections", 1, {"rss": 201}))

        table = report.ceilings(samples, [Ceiling("rss", 200, 150, "RSS MB")])

        self.assertIn("| 1000 connections | RSS MB | 201 (201–201) | ≤ 200 | 150.00 | **not met** |", table)


class CountsTest(unittest.TestCase):
    def test_requests_in_flight_at_the_end_are_tolerated(self):
        self.assertEqual(measure.count_fault("the backends", 1000, 1000, 64), [])
        self.assertEqual(measure.count_fault("the backends", 1064, 1000, 64), [])

    def test_lost_and_repeated_requests_are_faults(self):
        self.assertEqual(len(measure.count_fault("the backends", 999, 1000, 64)), 1)
        self.assertEqual(len(measure.count_fault("the backends", 1065, 1000, 64)), 1)


class OrderTest(unittest.TestCase):
    def test_every_peer_comes_first_in_turn(self):
        firsts = [rounds.rotated(["a", "b", "c"], by)[0] for by in range(4)]

        self.assertEqual(firsts, ["a", "b", "c", "a"])
