import contextlib
import io
import unittest

from harness.workplace import Failure, run_scenarios


class RunScenariosTest(unittest.TestCase):
    def test_failed_scenario_does_not_affect_others(self):
        def judge(place, name):
            if name == "second":
                raise Failure("a peer has ended")
            return f"report of {name}", True

        with contextlib.redirect_stderr(io.StringIO()):
            report, complete = run_scenarios("http", ["first", "second", "third"], judge)

        self.assertIn("report of first\n\n# compare http: second", report)
        self.assertIn("a peer has ended", report)
        self.assertIn("report of third", report)
        self.assertFalse(complete)
