import unittest

from harness import failures

NONE = {"connect": 0, "read": 0, "write": 0, "timeout": 0, "status": 0}


class JudgeTest(unittest.TestCase):
    def test_responses_that_had_begun_are_excused(self):
        self.assertTrue(failures.evaluate({**NONE, "read": 3}, excused=3).good)

    def test_more_closed_connections_than_truncated_responses_are_failures(self):
        self.assertFalse(failures.evaluate({**NONE, "read": 4}, excused=3).good)

    def test_an_error_status_is_never_excused(self):
        for kind in ("status", "connect", "write", "timeout"):
            with self.subTest(kind):
                self.assertFalse(failures.evaluate({**NONE, kind: 1}, excused=100).good)


class CutOffTest(unittest.TestCase):
    def test_retried_exchanges_are_not_truncated(self):
        backend = {"failures": {"reset": 10, "connect_refused": 5}, "retries": 13}

        self.assertEqual(failures.cut_off(backend), 2)
