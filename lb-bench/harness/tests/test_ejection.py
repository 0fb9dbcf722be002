"""Tests of lb-bench/ejection: its configuration, its evaluation of the timeline and its judgement."""

import socket
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer

from harness import ejection, faulty
from harness.workplace import Failure

CASE = ejection.Case("p", "round-robin", "503", 20_000, 1234)


def result(requests=1_000_000, failed=10, drawn=10, out=0.1, rate=20_000):
    return ejection.EjectionResult(ejection.Case("p", "round-robin", "503", rate, 1), requests, failed, drawn, out, 1.0)


class Judgement(unittest.TestCase):
    def test_an_early_ejection_with_few_failures_is_good(self):
        self.assertTrue(result().is_met)

    def test_almost_no_requests_without_an_ejection_are_good(self):
        self.assertTrue(result(out=None, drawn=3, failed=3).is_met)

    def test_a_late_ejection_or_many_failures_are_bad(self):
        for bad in (result(out=1.1), result(failed=1_000), result(out=None, drawn=250_000)):
            self.assertFalse(bad.is_met)

    def test_the_low_rate_has_no_bar(self):
        self.assertTrue(result(rate=20, requests=1_200, failed=7, drawn=7, out=1.2).is_met)


class Timeline(unittest.TestCase):
    EVENTS = [
        {"time": "2026-01-01T00:00:01Z", "subject": "p/1:1", "text": "up: connected"},
        {"time": "2026-01-01T00:00:02Z", "subject": "q/1:1", "text": "ejected: 5 of 5 requests failed"},
        {"time": "2026-01-01T00:00:03.250Z", "subject": "p/1:1", "text": "ejected: 5 of 5 requests failed"},
        {"time": "2026-01-01T00:00:13.250Z", "subject": "p/1:1", "text": "up: ejected for long enough"},
    ]

    def test_the_first_ejection_is_found(self):
        begin = 1767225602.0  # 2026-01-01T00:00:02Z
        self.assertAlmostEqual(1.25, ejection.seconds_until_out(self.EVENTS, "p/1:1", begin))

    def test_a_missing_ejection_is_none(self):
        self.assertIsNone(ejection.seconds_until_out(self.EVENTS, "p/2:2", 0.0))


class Configuration(unittest.TestCase):
    def test_each_case_has_a_pool_with_the_failing_backend(self):
        cases = [
            ejection.Case(f"{fault}-x", "least-connection", fault, 20, port)
            for port, fault in enumerate(ejection.FAULTS, 1)
        ]
        text = ejection.config(cases, ["w:1", "w:2"], {"503": "bad:1", "reset": "bad:2"}, 8, 9)
        self.assertIn('503-x: {strategy: least-connection, backends: ["bad:1", "w:1", "w:2"]}', text)
        self.assertIn('reset-x: {strategy: least-connection, backends: ["bad:2", "w:1", "w:2"]}', text)
        self.assertIn('503-retried-x: {strategy: least-connection, backends: ["bad:1"', text)
        self.assertIn("retry: {on: [connect-failure, reset, 503]}", text)

    def test_unknown_names_are_rejected(self):
        with self.assertRaisesRegex(Failure, "expected: some of reset, 503"):
            ejection.chosen("reset,504", ejection.FAULTS)


class Backends(unittest.TestCase):
    def test_a_resetting_backend_accepts_first(self):
        with faulty.Resetting() as backend:
            host, port = backend.address.split(":")
            with socket.create_connection((host, int(port)), timeout=5) as client:
                client.send(b"GET")
                with self.assertRaises(ConnectionResetError):
                    client.recv(1)


class Clients(unittest.TestCase):
    def test_other_statuses_than_200_are_failures(self):
        statuses = iter([200, 503, 200, 200])

        class Answers(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self.send_response(next(statuses))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Answers)
        serving = threading.Thread(target=server.serve_forever, daemon=True)
        serving.start()
        client = ejection.SlowClient(server.server_port, rate=200, seconds=1)
        client.count = 4
        client.run()
        server.shutdown()
        serving.join()
        server.server_close()
        self.assertEqual((4, 1), (client.requests, client.failed))


if __name__ == "__main__":
    unittest.main()
