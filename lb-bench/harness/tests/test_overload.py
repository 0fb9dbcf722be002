import unittest

from harness import overload, subjects


class BarTest(unittest.TestCase):
    def test_a_missed_bar_is_a_failure_of_the_run(self):
        checks = subjects.Checks()

        overload._bar(checks, "case", "figure", 1, "0", True)
        overload._bar(checks, "case", "figure", 2, "0", False)

        self.assertEqual(len(checks.rows), 2)
        self.assertEqual(len(checks.failures), 1)

    def test_the_capacity_is_that_of_all_slots(self):
        self.assertEqual(overload._CAPACITY, 800)


if __name__ == "__main__":
    unittest.main()
