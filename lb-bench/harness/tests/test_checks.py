import unittest

from harness import checks
from harness.workplace import Failure


def run(kind="tcp", cpu_seconds=2.0, count=24_000):
    return checks.CheckRun(kind, 60.0, cpu_seconds, count, 100)


class ConfigTest(unittest.TestCase):
    def test_every_backend_has_the_configured_check(self):
        text = checks.config(25, 80, "http", 5, 8000, 8001)

        self.assertEqual(text.count(':80"'), 25)
        self.assertEqual(text.count("health: {type: http, interval: 5s}"), 10)

    def test_every_kind_has_an_interval(self):
        for kind in checks.KINDS:
            self.assertIn("interval: 0.5s", checks.config(10, 80, kind, 0.5, 8000, 8001))


class JudgementTest(unittest.TestCase):
    def test_tcp_and_http_have_a_bar_and_bodies_none(self):
        self.assertTrue(checks.is_good([run(cpu_seconds=2.9), run("http", 2.9), run("body", 9.0)]))
        self.assertFalse(checks.is_good([run(cpu_seconds=2.9), run("http", 3.0)]))

    def test_too_few_checks_are_a_failure(self):
        checks.require_all_checked(run(count=23_000), 2000, 5)
        with self.assertRaises(Failure):
            checks.require_all_checked(run(count=20_000), 2000, 5)


class StatusTest(unittest.TestCase):
    def test_connections_are_the_first_number(self):
        status = "Active connections: 1 \nserver accepts handled requests\n 31 30 29 \nReading: 0\n"

        self.assertEqual(checks.parse_accepted(status), 31)
