import argparse
import unittest
from unittest import mock

from harness import limit_keys, overload, subjects


class BarTest(unittest.TestCase):
    def test_a_missed_bar_is_a_failure_of_the_run(self):
        checks = subjects.Checks()

        overload._bar(checks, "case", "figure", 1, "0", True)
        overload._bar(checks, "case", "figure", 2, "0", False)

        self.assertEqual(len(checks.rows), 2)
        self.assertEqual(len(checks.failures), 1)

    def test_the_capacity_is_that_of_all_slots(self):
        self.assertEqual(overload._CAPACITY, 800)

    def test_cases_are_checked(self):
        self.assertEqual(overload._cases("keys,rate"), ("keys", "rate"))
        with self.assertRaises(argparse.ArgumentTypeError):
            overload._cases("keys,other")


class LimitKeysTest(unittest.TestCase):
    """Judges steps that a table of a given capacity would give."""

    def _judge(self, capacity=2_621, many_micros=10.0):
        known, sizes, rows = set(), {}, []

        def fill(port, path, first, count):
            refused = 0
            for key in range(first, first + count):
                if (path, key) in known:
                    continue
                if sizes.get(path, 0) < capacity:
                    known.add((path, key))
                    sizes[path] = sizes.get(path, 0) + 1
                elif path == "/refuse":
                    refused += 1
            return limit_keys.Step(count - refused, refused, 0, 0)

        def load(running, port, count, seconds=0):
            return limit_keys.Step(count, 0, 0, many_micros if count == limit_keys.KEYS else 10.0)

        running = mock.Mock()
        running.heap_after_collection.side_effect = [50 << 20, 55 << 20]
        with (
            mock.patch.object(limit_keys, "KEYS", 1000),
            mock.patch.object(limit_keys, "_fill", fill),
            mock.patch.object(limit_keys, "_load", load),
            mock.patch.object(limit_keys, "say"),
        ):
            limit_keys.check(lambda *row: rows.append(row), running, 1)
        return {row[1]: row[4] for row in rows}

    def test_a_bounded_table_meets_all_bars(self):
        self.assertTrue(all(self._judge().values()))

    def test_an_unbounded_table_is_a_failure(self):
        met = self._judge(capacity=10_000)

        self.assertFalse(met["admitted of 7,000 keys"])

    def test_expensive_keys_are_a_failure(self):
        self.assertFalse(self._judge(many_micros=13.0)["CPU of a request, 1,000 keys"])

    def test_a_table_that_is_too_small_is_a_failure(self):
        self.assertFalse(self._judge(capacity=990)["refused of the first 1,000 keys"])


if __name__ == "__main__":
    unittest.main()
