import unittest

from harness import bombardier, compare_dns, dnsperf, openloop, wrk
from harness.workplace import Failure

WRK = """Running 1s test @ http://127.0.0.1:20144/
  1 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency    15.88ms   11.23ms 138.20ms   78.20%
    Req/Sec     3.74k   612.12     4.90k    70.00%
  4133 requests in 1.12s, 702.61KB read
  Socket errors: connect 0, read 2, write 0, timeout 1
  Non-2xx or 3xx responses: 3
Requests/sec:   3704.11
Transfer/sec:    629.70KB
ballast-bench {"requests": 4133, "microseconds": 1115788, "bytes": 719472, "errors": {"connect": 0, "read": 2, "write": 0, "timeout": 1, "status": 3}, "p50": 15880, "p99": 69100, "p99_9": 87170, "max": 138200}
"""

BOMBARDIER = """Bombarding http://localhost:8000 for 10s using 512 connection(s)
Done!
Statistics        Avg      Stdev        Max
  Reqs/sec     43250.29    6099.38   62211.20
  Latency       11.85ms    18.09ms      1.02s
  HTTP codes:
    1xx - 0, 2xx - 432027, 3xx - 0, 4xx - 0, 5xx - 12
    others - 3
  Throughput:    16.20MB/s
"""

OPEN_LOOP = (
    '{"requests": 4990, "microseconds": 1002000, "bytes": 720, "errors": {"connect": 0, "read": 0, "timeout": 9,'
    ' "status": 1, "write": 0}, "p50": 210, "p90": 400, "p99": 1500, "p99_9": 2500, "max": 9000, "late_p99": 120,'
    ' "answered_p50": 205, "answered_p99": 1400}'
)


class WrkTest(unittest.TestCase):
    def test_exact_figures_are_parsed(self):
        load = wrk.parse(WRK)

        self.assertEqual(load.bytes, 719472)
        self.assertAlmostEqual(load.p99, 69.1)
        self.assertAlmostEqual(load.max, 138.2)
        self.assertAlmostEqual(load.seconds, 1.115788)

    def test_error_statuses_are_not_counted_as_answered(self):
        load = wrk.parse(WRK)

        self.assertEqual(load.requests, 4130)
        self.assertEqual(load.failed, 6)

    def test_the_text_of_wrk_is_kept_without_our_line(self):
        text = wrk.parse(WRK).text

        self.assertIn("Requests/sec:   3704.11", text)
        self.assertNotIn("ballast-bench", text)

    def test_output_without_a_report_is_a_failure(self):
        with self.assertRaisesRegex(Failure, "unable to connect"):
            wrk.parse("unable to connect to 127.0.0.1:1 Connection refused\n")


class BombardierTest(unittest.TestCase):
    def test_the_published_format_is_parsed(self):
        summary = bombardier.parse(BOMBARDIER)

        self.assertEqual(summary.ok, 432027)
        self.assertEqual(summary.failed, 15)
        self.assertAlmostEqual(summary.rate, 43250.29)
        self.assertAlmostEqual(summary.average_ms, 11.85)
        self.assertAlmostEqual(summary.max_ms, 1020)

    def test_other_output_is_a_failure(self):
        with self.assertRaises(Failure):
            bombardier.parse("panic: no such host")


class OpenLoopTest(unittest.TestCase):
    def test_the_generators_result_is_parsed(self):
        load = openloop.parse(OPEN_LOOP)

        self.assertEqual((load.requests, load.failed), (4990, 10))
        self.assertAlmostEqual(load.p99, 1.5)
        self.assertAlmostEqual(load.late_p99, 0.12)
        self.assertAlmostEqual(load.answered_p99, 1.4)

    def test_failed_requests_are_faults(self):
        self.assertEqual(openloop.faults(openloop.parse(OPEN_LOOP), 5000), ["9 timeout errors", "1 status errors"])

    def test_a_missed_rate_is_a_fault(self):
        self.assertIn("reached 4,980 of 5,200 requests/s", openloop.faults(openloop.parse(OPEN_LOOP), 5200))


DNSPERF = """Statistics:

  Queries sent:         144108
  Queries completed:    144095 (99.99%)
  Queries lost:         13 (0.01%)

  Response codes:       NOERROR 144090 (100.00%), SERVFAIL 5 (0.00%)
  Average packet size:  request 38, response 102
  Run time (s):         1.000479
  Queries per second:   144026.011540

  Average Latency (s):  0.000398 (min 0.000010, max 0.021437)
  Latency StdDev (s):   0.001135
"""


class DnsperfTest(unittest.TestCase):
    def test_response_times_are_those_of_successful_answers_sorted(self):
        text = "> NOERROR bench.example A 0.002500\n> SERVFAIL bench.example A 0.000001\n1795.3: 0.5\n> NOERROR x.y A 0.000125\n"

        self.assertEqual(dnsperf.response_times(text), [0.125, 2.5])

    def test_statistics_are_parsed(self):
        seen = dnsperf.parse(DNSPERF)

        self.assertEqual((seen.sent, seen.completed, seen.lost, seen.not_answered_well), (144108, 144095, 13, 5))
        self.assertAlmostEqual(seen.rate, 144026.01, places=1)
        self.assertAlmostEqual(seen.max_ms, 21.437)

        self.assertEqual(seen.answer_size, 102)

    def test_percentiles_are_observed_values(self):
        values = [float(n) for n in range(1, 101)]

        self.assertEqual(dnsperf.percentile(values, 0.5), 51.0)
        self.assertEqual(dnsperf.percentile(values, 0.99), 100.0)
        self.assertEqual(dnsperf.percentile([3.0], 0.999), 3.0)

    def test_error_responses_are_a_fault(self):
        self.assertEqual(compare_dns.faults(dnsperf.parse(DNSPERF)), ["5 answers without NOERROR"])

    def test_more_than_one_lost_query_in_a_thousand_is_a_fault(self):
        lost = DNSPERF.replace("lost:         13", "lost:         145")

        self.assertIn("145 of 144108 queries lost", compare_dns.faults(dnsperf.parse(lost)))

    def test_a_run_without_answers_is_a_fault(self):
        self.assertIn("no query was answered", compare_dns.faults(dnsperf.parse(DNSPERF.replace("144095", "0"))))

    def test_differing_counters_of_a_server_are_a_fault(self):
        seen = dnsperf.parse(DNSPERF)

        self.assertEqual(compare_dns.count_faults(seen, 144100, 144090), [])
        self.assertEqual(len(compare_dns.count_faults(seen, 144109, 144090)), 1)
        self.assertEqual(len(compare_dns.count_faults(seen, 144100, 144089)), 1)
