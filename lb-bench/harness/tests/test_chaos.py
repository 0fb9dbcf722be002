"""Tests of lb-bench/chaos: its plans, its DNS server, and its judgement."""

import unittest

from harness import chaos, chaos_judge, chaos_plan, dns_wire, moving_name
from harness.chaos_judge import Span
from harness.chaos_load import SentRequest
from harness.chaos import BackendProcess


def sent(identity="1-0", method="GET", begin=10.0, end=10.1, status=200, fault=""):
    return SentRequest(identity, method, begin, end, status, fault)


def backend(address="a:1", requests=0, answered=0, in_flight=0, alive=True, weight=1, **failures):
    return {
        "addr": address,
        "total_req_count": requests,
        "responses": {"2xx": answered, "5xx": 0},
        "failures": {"connect_refused": 0, "reset": 0, **failures},
        "client_aborts": 0,
        "in_flight": in_flight,
        "is_host_alive": alive,
        "weight": weight,
    }


def stats(requests, good, *backends, in_flight=0):
    return {
        "listeners": [
            {
                "name": "front",
                "requests": requests,
                "completed": requests,
                "in_flight": in_flight,
                "responses": {"2xx": good, "5xx": requests - good},
            }
        ],
        "pools": [{"name": "web", "in_flight": in_flight, "requests": {"completed": requests}}],
        "backends": list(backends),
    }


class Plans(unittest.TestCase):
    def test_the_same_seed_gives_the_same_plan(self):
        self.assertEqual(chaos_plan.plan(7, 120, 6), chaos_plan.plan(7, 120, 6))
        self.assertNotEqual(chaos_plan.plan(7, 120, 6), chaos_plan.plan(8, 120, 6))

    def test_most_backends_are_undisturbed_at_every_moment(self):
        for seed in range(20):
            steps = chaos_plan.plan(seed, 300, 6)
            for step in steps:
                self.assertLessEqual(len(chaos_plan.disturbed(steps, step.at)), chaos_plan.MAX_AT_ONCE)

    def test_every_step_begins_and_ends_before_the_end(self):
        steps = chaos_plan.plan(1, 600, 6)
        known = {*chaos_plan.FAULTS, *chaos_plan.ORDERS, *chaos_plan.WHOLE}
        self.assertEqual(known, {step.what for step in steps})
        self.assertLess(max(step.end for step in steps), 600)


class Judgement(unittest.TestCase):
    def test_a_failure_is_explained_by_an_overlapping_fault_and_the_method(self):
        faults = [Span("kill", "a:1", 9.0, 10.05)]
        self.assertEqual((1, []), chaos_judge.failures([sent(method="POST", status=502)], faults))
        for bad in (sent(status=502), sent(method="POST", status=502, begin=20.0, end=20.1), sent(status=0)):
            self.assertEqual((0, [bad]), chaos_judge.failures([bad], faults))
        slow = [Span("slow", "a:1", 9.0, 11.0)]
        self.assertEqual(1, len(chaos_judge.failures([sent(method="POST", status=502)], slow)[1]))

    def test_a_response_to_another_request_is_a_violation(self):
        self.assertEqual([], chaos_judge.out_of_place([sent()]))
        self.assertEqual(1, len(chaos_judge.out_of_place([sent(fault="the answer is that of 2-0")])))

    def test_a_backend_out_of_service_gets_no_new_requests(self):
        orders = [Span("drain", "a:1", 10.0, 20.0)]
        for request, broken in ((sent(begin=11.0, end=12.0), 1), (sent(begin=9.9, end=12.0), 0), (sent(begin=19.9, end=20.1), 0)):
            self.assertEqual(broken, len(chaos_judge.taken_out([request], {"a:1": ["1-0"]}, orders)))
        self.assertEqual([], chaos_judge.taken_out([sent(begin=11.0, end=12.0)], {"b:1": ["1-0"]}, orders))

    def test_differing_counters_are_reported(self):
        requests = [sent("1-0"), sent("1-1", status=502)]
        received = {"a:1": ["1-0", "1-1"]}
        good = stats(2, 1, backend(requests=2, answered=1, reset=1))
        self.assertEqual([], chaos_judge.counters(requests, received, good))
        for bad in (
            stats(3, 1, backend(requests=2, answered=1, reset=1)),
            stats(2, 2, backend(requests=2, answered=2)),
            stats(2, 1, backend(requests=3, answered=1, reset=1)),
            stats(2, 1, backend(requests=1, answered=1)),
        ):
            self.assertNotEqual([], chaos_judge.counters(requests, received, bad))

    def test_nothing_may_be_in_flight(self):
        self.assertEqual([], chaos_judge.at_rest(stats(0, 0, backend())))
        self.assertEqual(1, len(chaos_judge.at_rest(stats(0, 0, backend(in_flight=1)))))
        self.assertEqual(2, len(chaos_judge.at_rest(stats(0, 0, backend(), in_flight=1))))

    def test_usable_backends_are_alive_and_have_a_weight(self):
        all_ = stats(0, 0, backend("a:1"), backend("b:1", alive=False), backend("c:1", weight=0))
        self.assertEqual({"a:1"}, chaos_judge.usable(all_))


class Names(unittest.TestCase):
    def test_the_current_address_is_answered(self):
        for address in ("127.0.0.61", "127.0.0.62"):
            answer = dns_wire.parse(moving_name.answer(dns_wire.question("moving.chaos.test", "A", 5), address))
            self.assertEqual((5, [address]), (answer.id, [record.data for record in answer.answer]))
        self.assertEqual((), dns_wire.parse(moving_name.answer(dns_wire.question("x.test", "AAAA"), "127.0.0.1")).answer)


class Configurations(unittest.TestCase):
    def test_every_reload_changes_something_and_keeps_the_backends(self):
        servers = [BackendProcess.__new__(BackendProcess) for _ in range(2)]
        for number, server in enumerate(servers):
            server.address = f"127.0.0.5{number}:80"
        texts = [chaos.config(servers, 1, 2, 3, "data", number) for number in range(4)]
        self.assertEqual(4, len(set(texts)))
        for text in texts:
            self.assertEqual(2, text.count("address:"))
