import contextlib
import hashlib
import http.client
import io
import tempfile
import unittest
from pathlib import Path

from harness import autobahn, clients, digests, grpc_interop, h2spec, ports, subjects, tls_scan
from harness.workplace import BENCH

JUNIT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="3.5." package="http2/3.5" id="3.5" tests="2" skipped="1" failures="1" errors="0">
    <testcase package="http2/3.5" classname="Sends client connection preface" time="0.0003"></testcase>
    <testcase package="http2/3.5" classname="Sends invalid connection preface" time="0.0003">
      <failure message="it MUST close">Connection closed
Error: the frame header looked like an HTTP/1.1 header</failure>
    </testcase>
    <testcase package="http2/3.6" classname="Not now" time="0.0"><skipped></skipped></testcase>
  </testsuite>
</testsuites>
"""

COMPLIANT = """ COMPLIANCE AGAINST TLS CONFIGURATION
    Checking results against Mozilla's "intermediate" configuration.
    localhost:26425: OK - Compliant.
"""
NOT_COMPLIANT = """ COMPLIANCE AGAINST TLS CONFIGURATION
    localhost:26425: FAILED - Not compliant.
        * tls_versions: TLS versions {'TLSv1.1'} are supported, but should be rejected.
        * tls_curves: TLS curves {'X448'} are supported, but should be rejected.
"""


class H2specTest(unittest.TestCase):
    def test_failures_and_reasons_are_parsed(self):
        count, skipped, failed = h2spec.parse(JUNIT)

        self.assertEqual((count, skipped), (3, 1))
        self.assertEqual(list(failed), ["http2/3.5 Sends invalid connection preface"])

    def test_only_an_http_1_response_excuses_an_invalid_preface(self):
        _, _, failed = h2spec.parse(JUNIT)
        case = next(iter(failed))

        self.assertEqual(h2spec.unexcused(failed), {})
        self.assertEqual(h2spec.unexcused({case: "Timeout"}), {case: "Timeout"})
        self.assertEqual(h2spec.unexcused({"http2/6.5 x": failed[case]}), {"http2/6.5 x": failed[case]})

    def test_a_run_without_cases_fails(self):
        checks = subjects.Checks()
        with contextlib.redirect_stderr(io.StringIO()):
            h2spec._record(checks, "TLS", 0, 0, 0, {})

        self.assertEqual(len(checks.failures), 1)


class TlsScanTest(unittest.TestCase):
    def test_compliance_is_parsed_from_its_section(self):
        self.assertEqual(tls_scan.verdict(0, COMPLIANT), [])
        self.assertEqual(len(tls_scan.verdict(1, NOT_COMPLIANT)), 2)
        self.assertIn("X448", tls_scan.verdict(1, NOT_COMPLIANT)[1])

    def test_an_incomplete_scan_is_not_compliant(self):
        self.assertIn("sslyze exited with 0", tls_scan.verdict(0, "could not connect")[0])


class GrpcTest(unittest.TestCase):
    def test_the_last_line_of_a_case_is_its_error(self):
        with tempfile.TemporaryDirectory() as directory:
            program = Path(directory) / "client"
            program.write_text("#!/bin/sh\necho first; echo $3 >&2; exit 1\n")
            program.chmod(0o755)

            self.assertEqual(grpc_interop.run(program, 1, "ping_pong"), "-test_case=ping_pong")

            program.write_text("#!/bin/sh\nexit 0\n")
            self.assertEqual(grpc_interop.run(program, 1, "ping_pong"), "")


class DigestsTest(unittest.TestCase):
    def test_bodies_match_those_of_the_clients(self):
        size = (1 << 17) + 3

        self.assertEqual(digests.pattern(size), bytes((i ^ i >> 8 ^ i >> 16) & 0xFF for i in range(size)))
        self.assertEqual(digests.pattern(0), b"")

    def test_the_backend_sends_and_hashes_by_length_and_in_chunks(self):
        backend = digests.DigestBackend()
        self.addCleanup(backend.server_close)
        self.addCleanup(backend.shutdown)
        connection = http.client.HTTPConnection(ports.LOOPBACK, backend.port, timeout=10)
        self.addCleanup(connection.close)

        connection.request("GET", "/70000")
        self.assertEqual(connection.getresponse().read(), digests.pattern(70000))
        for body in (digests.pattern(70000), iter([digests.pattern(70000)])):
            connection.request("POST", "/digest", body=body)
            self.assertEqual(connection.getresponse().read().decode(), digests.digest(70000))


class ClientsTest(unittest.TestCase):
    def setUp(self):
        self.lines = [f"HTTP/2 {digests.digest(size)} {digests.digest(size)}" for size in clients.SIZES]

    def test_equal_bytes_in_both_directions_are_no_fault(self):
        self.assertEqual(clients.faults(self.lines, ("HTTP/2",)), [])

    def test_another_version_and_other_bytes_are_faults(self):
        other = hashlib.sha256(b"other").hexdigest()
        self.lines[1] = f"HTTP/1.1 {other} {digests.digest(1)}"
        self.lines[2] = f"HTTP/2 {digests.digest(clients.SIZES[2])}"

        found = clients.faults(self.lines, ("HTTP/2",))

        self.assertEqual(len(found), 3)
        self.assertIn("used HTTP/1.1", found[0])
        self.assertIn("the backend received other bytes", found[2])

    def test_a_missing_response_is_a_fault(self):
        self.assertEqual(clients.faults(self.lines[1:], ("HTTP/2",)), ["3 responses (expected: 4)"])

    def test_every_program_exists(self):
        for file in ("httpx_client.py", "fetch.mjs", "JdkClient.java"):
            self.assertTrue((BENCH / "programs" / "clients" / file).exists())


class AutobahnTest(unittest.TestCase):
    def test_strict_and_non_strict_conformance_are_equal(self):
        direct = {"1.1.1": {"behavior": "OK", "behaviorClose": "OK"}, "3.2": {"behavior": "NON-STRICT", "behaviorClose": "OK"}}
        through = {"1.1.1": {"behavior": "NON-STRICT", "behaviorClose": "OK"}, "3.2": direct["3.2"]}

        self.assertEqual(autobahn.differences(direct, through), {})

    def test_failures_only_through_the_balancer_are_reported(self):
        direct = {"1.1.1": {"behavior": "OK", "behaviorClose": "OK"}, "1.1.2": {"behavior": "OK", "behaviorClose": "OK"}}
        through = {"1.1.1": {"behavior": "OK", "behaviorClose": "UNCLEAN"}}

        found = autobahn.differences(direct, through)

        self.assertEqual(found, {"1.1.1": "behaviorClose UNCLEAN, directly OK", "1.1.2": "did not run"})


class ReportTest(unittest.TestCase):
    def test_failed_and_skipped_checks_come_first(self):
        checks = subjects.Checks()
        with contextlib.redirect_stderr(io.StringIO()):
            checks.record([], "curl", "plain")
            checks.record(["reset"], "curl", "TLS")
            checks.skip("go: go is missing")

        text = subjects.write("Clients", "About.", [("curl", "7.88")], ["client", "connection"], checks)

        self.assertIn("About. **1 of 2 failed.** 1 SKIPPED.", text)
        self.assertIn("- FAILED: curl, TLS: reset", text)
        self.assertIn("- SKIPPED: go: go is missing", text)
        self.assertIn("| curl | plain | passed |", text)

    def test_every_program_has_a_configuration_for_every_subject(self):
        for directory in ("conformance", "conformance-grpc", "tls-intermediate", "tls-modern"):
            for file in ("ballast.yaml", "haproxy.cfg"):
                self.assertIn("{{backends}}", (BENCH / "peers" / directory / file).read_text())
