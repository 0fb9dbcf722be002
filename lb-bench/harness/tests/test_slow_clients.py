import dataclasses
import unittest

from harness import slow_clients
from harness.wrk import Load

HEADERS, _, READ = slow_clients.ATTACKS
NORMAL = Load(1000, 1.0, 0, {"connect": 0, "read": 0, "write": 0, "timeout": 0, "status": 0}, 1.0, 8.0, 9.0, 10.0)


class SlowClientsTest(unittest.TestCase):
    def test_a_disconnected_attack_is_repelled(self):
        self.assertEqual(slow_clients.problems(HEADERS, 400, most=401, answered=400, cut_after=3.5), [])
        self.assertEqual(slow_clients.problems(READ, 100, most=100, answered=0, cut_after=3.5), [])

    def test_slow_clients_that_stay_connected_are_a_problem(self):
        self.assertEqual(
            slow_clients.problems(READ, 100, most=100, answered=0, cut_after=None), ["not all were closed by response_idle"]
        )

    def test_an_attack_with_too_few_connections_is_a_problem(self):
        self.assertEqual(len(slow_clients.problems(HEADERS, 400, most=30, answered=400, cut_after=1.0)), 1)

    def test_a_408_must_be_sent_if_possible(self):
        self.assertEqual(slow_clients.problems(HEADERS, 400, 400, 399, 3.5), ["399 of 400 were told 408"])

    def test_a_normal_client_may_be_ten_times_slower_but_never_fail(self):
        self.assertEqual(slow_clients.normal_problems(dataclasses.replace(NORMAL, p99=80.0), NORMAL), [])
        self.assertEqual(len(slow_clients.normal_problems(dataclasses.replace(NORMAL, p99=81.0), NORMAL)), 1)
        failed = dataclasses.replace(NORMAL, errors={**NORMAL.errors, "read": 1})
        self.assertEqual(slow_clients.normal_problems(failed, NORMAL), ["1 read errors of the normal client"])
