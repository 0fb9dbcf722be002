import unittest

from harness import validation


class ValidationTest(unittest.TestCase):
    def test_queries_are_summed_by_zone(self):
        rows = validation.parse(
            "www.good.lab A SECURE SECURE\nto-plain.good.lab A INSECURE INSECURE\nwww.child.good.lab A SECURE BOGUS\n"
        )

        self.assertEqual(
            validation.by_zone(rows), ["| child.good.lab | 1 | 1 | 0 | 0 | 0 |", "| good.lab | 2 | 1 | 1 | 0 | 2 |"]
        )
