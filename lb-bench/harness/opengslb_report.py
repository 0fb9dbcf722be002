"""OpenGSLB's published figures: https://github.com/LoganRossUS/OpenGSLB, docs/operations/capacity/benchmarks.md.

For four cores of a Xeon at 2.5 GHz, 8 GB and 10 Gbit/s Ethernet; absolute figures are not comparable with ours. No raw
output is published, and its DNSSEC is not connected to its server.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    """Queries per second, median and 99th percentile; response times in ms, median and 99th percentile."""

    median: int
    p99: int
    time_p50: float
    time_p99: float


RATES = {
    "plain": Rate(75_000, 70_000, 0.3, 1.2),
    "dnssec": Rate(45_000, 40_000, 0.5, 2.0),
    "geo": Rate(40_000, 35_000, 0.6, 2.5),
    "latency": Rate(50_000, 45_000, 0.5, 2.0),
}
# Number of backends: queries per second, plain and with DNSSEC.
BY_BACKENDS = {10: (75_000, 45_000), 50: (72_000, 43_000), 100: (68_000, 40_000), 500: (60_000, 35_000), 1000: (50_000, 30_000)}
# Response times in ms, plain, by percentile.
TIMES = {"p50": 0.3, "p90": 0.8, "p95": 1.0, "p99": 1.2, "p99.9": 2.0}
# Number of backends: MB.
MEMORY = {0: 50, 100: 55, 500: 70, 1000: 90, 5000: 150}
# Percent of the CPU at 10,000 queries per second.
CPU = {"round-robin": 15, "weighted": 16, "failover": 15, "geo": 25, "latency": 20}
# Number of backends: maximum seconds.
CONVERGENCE = {1: 1.0, 10: 2.0}
REGISTRATION = {100: 1.0, 1000: 5.0, 10_000: 30.0}
