import dataclasses
import unittest

from harness import descriptors

GOOD = descriptors.DescriptorRun(log_bytes=900, cpu_share=0.02, requests=400, failed=0, backends_down=0, recovery_seconds=0.1)


class DescriptorsTest(unittest.TestCase):
    def test_a_run_without_effects_has_no_problem(self):
        self.assertEqual(descriptors.problems(GOOD), [])

    def test_each_bar_is_judged(self):
        for change in (
            {"log_bytes": 494_000_000},
            {"cpu_share": 0.9},
            {"failed": 1},
            {"requests": 0},
            {"backends_down": 1},
            {"recovery_seconds": None},
        ):
            with self.subTest(change):
                self.assertEqual(len(descriptors.problems(dataclasses.replace(GOOD, **change))), 1)


if __name__ == "__main__":
    unittest.main()
