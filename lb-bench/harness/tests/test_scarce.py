import dataclasses
import unittest

from harness import scarce
from harness.probes import Probes

GOOD = Probes((0.01,) * 30, 0)
HAPROXY = scarce.ScarceRun("haproxy", "stalled uploads", "group", GOOD, GOOD, cpu_during=2.0, cpu_after=0.1, lives=True)
BALLAST = dataclasses.replace(HAPROXY, peer="ballast-epoll")


class ScarceTest(unittest.TestCase):
    def test_figures_equal_to_haproxy_are_good(self):
        self.assertEqual(scarce.problems([HAPROXY, BALLAST]), [])

    def test_each_bar_is_judged(self):
        for change in (
            {"during": Probes((0.01,) * 29, 1)},
            {"after": Probes((0.01,) * 29, 1)},
            {"during": Probes((0.06,) * 30, 0), "after": Probes((0.06,) * 30, 0)},
            {"cpu_during": 4.2},
            {"lives": False},
        ):
            with self.subTest(change=change):
                self.assertEqual(len(scarce.problems([HAPROXY, dataclasses.replace(BALLAST, **change)])), 1)

    def test_failures_of_haproxy_in_the_same_rounds_are_allowed(self):
        haproxy = dataclasses.replace(HAPROXY, during=Probes((0.01,) * 28, 2))
        ours = dataclasses.replace(BALLAST, during=Probes((0.01,) * 29, 1))
        self.assertEqual(scarce.problems([haproxy, ours]), [])

    def test_a_balancer_without_a_peer_is_not_judged(self):
        self.assertEqual(scarce.problems([dataclasses.replace(BALLAST, cpu_during=99.0)]), [])

    def test_a_process_must_not_outlive_its_event_loop(self):
        self.assertEqual(scarce.hang_problems((70, 30.0)), [])
        self.assertEqual(scarce.hang_problems(None), [])
        self.assertEqual(len(scarce.hang_problems((None, 120.0))), 1)
        self.assertEqual(len(scarce.hang_problems((0, 5.0))), 1)

    def test_probes_of_two_periods_are_combined(self):
        both = Probes((0.1, 0.3), 1) + Probes((0.2,), 2)
        self.assertEqual((both.count, both.failed, both.median_ms), (6, 3, 200.0))
