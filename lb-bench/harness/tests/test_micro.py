import json
import unittest

from harness import micro

SUITES = {suite.name: suite for suite in micro.SUITES}


def jmh(name, nanos, allocated, **parameters):
    return {
        "benchmark": f"io.ballast.{name}",
        "params": parameters,
        "primaryMetric": {"score": nanos, "scoreError": "NaN", "scoreUnit": "ns/op"},
        "secondaryMetrics": {"gc.alloc.rate.norm": {"score": allocated}},
    }


class MicroTest(unittest.TestCase):
    def is_met_by(self, suite, run):
        (result,) = micro.parse(json.dumps([run]))
        return micro.is_met(SUITES[suite], result)

    def test_a_head_is_scanned_in_300_ns_without_allocation(self):
        for nanos, allocated, is_met in ((300.0, 1e-4, True), (300.1, 1e-4, False), (200.0, 16.0, False)):
            with self.subTest(nanos=nanos, allocated=allocated):
                run = jmh("http.h1.wire.HeadScanBenchmark.request", nanos, allocated)
                self.assertEqual(self.is_met_by("HeadScanBenchmark", run), is_met)

    def test_region_lookup_has_60_ns_and_record_selection_150_ns(self):
        for suite, nanos, is_met in (
            ("RegionLookupBenchmark", 60.0, True),
            ("RegionLookupBenchmark", 60.1, False),
            ("DecisionBenchmark", 150.0, True),
            ("DecisionBenchmark", 150.1, False),
        ):
            with self.subTest(suite=suite, nanos=nanos):
                self.assertEqual(self.is_met_by(suite, jmh(f"dns.{suite}.find", nanos, 0.0)), is_met)

    def test_only_exact_least_connection_may_take_longer_with_more_members(self):
        for strategy, members, nanos, is_met in (
            ("LEAST_CONNECTION", "100", 100.0, True),
            ("LEAST_CONNECTION", "10000", 257.0, False),
            ("RANDOM", "100", 16.0, False),
        ):
            with self.subTest(strategy=strategy, members=members):
                run = jmh("bench.balance.PickBenchmark.oneThread", nanos, 0.0, strategy=strategy, members=members)
                self.assertEqual(self.is_met_by("PickBenchmark", run), is_met)

    def test_policies_have_bars(self):
        for suite, nanos in (
            ("RequestRateTableBenchmark", 100.0),
            ("PolicyBenchmark", 300.0),
            ("JwtBenchmark", 1000.0),
            ("OidcBenchmark", 2000.0),
            ("TracingBenchmark", 1000.0),
        ):
            with self.subTest(suite=suite):
                self.assertTrue(self.is_met_by(suite, jmh(f"bench.policy.{suite}.evaluate", nanos, 0.0)))
                self.assertFalse(self.is_met_by(suite, jmh(f"bench.policy.{suite}.evaluate", nanos + 1, 0.0)))
                self.assertFalse(self.is_met_by(suite, jmh(f"bench.policy.{suite}.evaluate", nanos / 2, 16.0)))

    def test_allocation_of_jmh_is_ignored(self):
        for nanos, allocated, is_met in ((200_000.0, 1.0, True), (200_000.0, 16.0, False), (20.0, 0.16, False)):
            with self.subTest(nanos=nanos, allocated=allocated):
                run = jmh("http.route.RouteLookupBenchmark.find", nanos, allocated, routes="10000")
                self.assertEqual(self.is_met_by("RouteLookupBenchmark", run), is_met)

    def test_a_benchmark_without_a_time_bar_is_judged_by_its_allocation(self):
        run = jmh("http.route.RouteLookupBenchmark.find", 1e6, 0.0, routes="10000")
        (result,) = micro.parse(json.dumps([run]))

        table = micro.table(SUITES["RouteLookupBenchmark"], [result])

        self.assertIn("| RouteLookup.find (routes=10000) | 1000000.0 | – | 0.000 | 0 | met |", table)
