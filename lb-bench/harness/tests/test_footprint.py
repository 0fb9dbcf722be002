import unittest
from pathlib import Path

from harness import histogram, javas


class HistogramTest(unittest.TestCase):
    TEXT = """
 num     #instances         #bytes  class name (module)
-------------------------------------------------------
   1:            20           2400  [B (java.base@25)
   2:            10            240  io.ballast.Thing
Total            30           2640
"""

    def test_rows_are_parsed_without_the_total(self):
        classes = histogram.parse(self.TEXT)

        self.assertEqual(classes, {"[B": (20, 2400), "io.ballast.Thing": (10, 240)})

    def test_growth_lists_the_largest_first_and_omits_shrunk_classes(self):
        before = {"[B": (30, 3000), "io.ballast.Thing": (5, 120)}
        after = {**histogram.parse(self.TEXT), "io.ballast.Other": (10, 1600)}

        grown = histogram.growth(before, after, per=10)

        self.assertEqual(grown, [("io.ballast.Other", 1.0, 160.0), ("io.ballast.Thing", 0.5, 12.0)])


class JavasTest(unittest.TestCase):
    def test_the_first_java_of_a_version_counts(self):
        found = javas.parse("25 /opt/a b\n25 /opt/c\n17 /opt/d\n")

        self.assertEqual(found[25].home, Path("/opt/a b"))
        self.assertEqual(sorted(found), [17, 25])
