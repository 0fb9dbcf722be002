import dataclasses
import unittest

from harness import starved
from harness.probes import Probes

SEEN = starved.StarvedRun(0.25, "ballast-epoll", "", 5, Probes((0.01,) * 30, 3), warnings=1, exit_code=None)


class StarvedTest(unittest.TestCase):
    def test_failed_probes_and_warnings_are_not_judged(self):
        self.assertEqual(starved.problems([SEEN]), [])

    def test_a_process_must_not_end_by_itself(self):
        ended = dataclasses.replace(SEEN, runs=2, exit_code=70)
        self.assertEqual(
            starved.problems([SEEN, ended]), ["ballast-epoll with 25% of a CPU exited with code 70 in its run 2"]
        )

    def test_processes_of_one_kind_are_one_row(self):
        ended = dataclasses.replace(SEEN, exit_code=70)
        self.assertEqual(
            starved.row([SEEN, ended]), ["25% of a CPU", "ballast-epoll", "none", "10", "6 of 66", "2", "1"]
        )
