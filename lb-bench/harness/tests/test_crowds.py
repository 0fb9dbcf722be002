import dataclasses
import unittest

from harness import crowds
from harness.wrk import Load

NORMAL = Load(1000, 1.0, 0, {"connect": 0, "read": 0, "write": 0, "timeout": 0, "status": 0}, 1.0, 8.0, 9.0, 10.0)
GOOD = crowds.CrowdRun(  # fmt: skip
    opened=100, ended=0, arrival=NORMAL, normal=NORMAL, resident_mb=200.0, shed=0, blamed=0,
    leftovers={}, quiet_seconds=1.0, stop_seconds=10.1,
)


class CrowdsTest(unittest.TestCase):
    def test_slow_clients_without_effect_are_no_problem(self):
        self.assertEqual(crowds.problems(GOOD, 100), [])

    def test_each_bar_is_judged(self):
        for change, count in (
            ({"resident_mb": 351.0}, 100),
            ({"blamed": 1}, 100),
            ({"leftovers": {"in flight at a": 3}}, 100),
            ({"stop_seconds": None}, 100),
            ({"normal": dataclasses.replace(NORMAL, p99=51.0)}, 100),
            ({"normal": dataclasses.replace(NORMAL, errors={**NORMAL.errors, "read": 1})}, 100),
            ({"arrival": dataclasses.replace(NORMAL, errors={**NORMAL.errors, "read": 1})}, 100),
            ({}, 101),
        ):
            with self.subTest(change=change):
                self.assertEqual(len(crowds.problems(dataclasses.replace(GOOD, **change), count)), 1)

    def test_zero_gauges_are_not_reported(self):
        stats = {
            "listeners": [{"name": "web", "connections_open": 0}],
            "backends": [{"addr": "a:1", "in_flight": 0}, {"addr": "b:1", "in_flight": 2}],
        }
        self.assertEqual(crowds.gauges(stats), {"in flight at b:1": 2})
