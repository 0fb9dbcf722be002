import tempfile
import unittest
from argparse import Namespace
from pathlib import Path

from harness import many_zones
from harness.many_zones import Change, ZoneCount, Start, Zones

SIZE = ZoneCount(10_000, 3, 0.2)
BALLAST = "ballast, Java 25"


class ZonesTest(unittest.TestCase):
    def test_every_zone_has_a_file_with_its_records(self):
        with tempfile.TemporaryDirectory() as directory:
            zones = Zones(Path(directory) / "zones", 3)
            files = sorted(file.name for file in zones.directory.iterdir())
            lines = (zones.directory / zones.name(1)).read_text().splitlines()

        self.assertEqual(files, ["z0.bench", "z1.bench", "z2.bench"])
        self.assertEqual(len([line for line in lines if not line.startswith("$")]), many_zones.RECORDS)


class JudgementTest(unittest.TestCase):
    def test_only_ballast_has_bars(self):
        slow = [Start(9.0, 9.0, 1, 1)]

        self.assertTrue(many_zones.all_met({(SIZE, "knot"): slow}, {(SIZE, "knot", "update"): Change(9.0, 9.0)}))
        self.assertFalse(many_zones.all_met({(SIZE, BALLAST): slow}, {}))
        self.assertFalse(many_zones.all_met({}, {(SIZE, BALLAST, "update"): Change(0.3, 0.3)}))

    def test_tables_contain_bars_and_missed_ones(self):
        starts = {(SIZE, BALLAST): [Start(2.0, 2.5, 100_000_000, 90_000_000)]}
        changes = {(SIZE, BALLAST, "reload"): Change(0.25, 0.1), (SIZE, "knot", "reload"): Change(0.001, 0.002)}

        text = many_zones.tables(starts, changes, Namespace(changes=5))

        self.assertIn("| 10,000 zones | ballast, Java 25 | 2.00 | 2.50 | 100 | 90 | ≤ 3 s of CPU | met |", text)
        self.assertIn("| reload among 10,000 zones | ballast, Java 25 | 250 | 100 | ≤ 200 ms of CPU | **not met** |", text)
        self.assertIn("| reload among 10,000 zones | knot | 1 | 2 | – |  |", text)


if __name__ == "__main__":
    unittest.main()
