import tempfile
import unittest
from pathlib import Path

from harness import many_names, zone_sizes
from harness.zone_sizes import ZoneRun, ZoneSize

SIZE = ZoneSize(1000, False, 2, 200e6)
SIGNED = ZoneSize(1000, True, 6)


def run(seconds, rest):
    return ZoneRun(seconds, cpu=1.5, ready=150_000_000, rest=rest)


class ManyNamesTest(unittest.TestCase):
    def test_every_name_occurs_once_with_its_records(self):
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / "zone"
            many_names.write(file, 1000)
            lines = file.read_text().splitlines()[7:]

        names = [line.split()[0] for line in lines]
        self.assertEqual(sorted(set(names)), sorted(f"n{number}" for number in range(1000)))
        # Two of ten names have two records.
        self.assertEqual(len(lines), 1200)

    def test_the_queried_name_has_an_address(self):
        for size in zone_sizes.SIZES:
            self.assertIn(" AAAA ", many_names.records(size.names - 4))
            self.assertIn(" A ", many_names.records(size.names - 4))


class JudgementTest(unittest.TestCase):
    def test_medians_are_judged(self):
        slow_once = [run(1.0, 150e6), run(1.9, 199e6), run(9.0, 150e6)]

        self.assertTrue(zone_sizes.is_met(SIZE, slow_once))
        self.assertFalse(zone_sizes.is_met(SIZE, [run(2.1, 150e6)]))
        self.assertFalse(zone_sizes.is_met(SIZE, [run(1.0, 201e6)]))

    def test_a_size_without_a_memory_bar_has_no_limit(self):
        self.assertTrue(zone_sizes.is_met(SIGNED, [run(5.0, 900e6)]))

    def test_only_ballast_has_bars(self):
        runs = {(SIZE, "ballast, Java 25"): [run(1.0, 150e6)], (SIZE, "knot"): [run(9.0, 900e6)]}

        self.assertTrue(zone_sizes.all_met(runs))

    def test_the_table_contains_bars_and_missed_ones(self):
        runs = {(SIZE, "ballast, Java 25"): [run(3.0, 150e6)], (SIZE, "knot"): [run(0.5, 50e6)]}

        text = zone_sizes.table([SIZE], ["ballast, Java 25", "knot"], runs)

        self.assertIn("| 1,000 names | ballast, Java 25 | 3.00 (3.00–3.00) | 1.50 | 150 | 150 | ≤ 2 s, ≤ 200 MB | **not met** |", text)
        self.assertIn("| 1,000 names | knot | 0.50 (0.50–0.50) | 1.50 | 150 | 50 | – |  |", text)
