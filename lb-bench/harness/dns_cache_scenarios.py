"""The scenarios for DNS forwarders with a cache, and their bars."""

from dataclasses import dataclass

from harness.bars import Bar
from harness.dns_scenarios import ZONE

# A run is invalid if a higher share of its queries is lost; UDP may lose a datagram when a core is preempted. More are
# allowed if the outstanding queries exceed a socket buffer: then every burst loses some, and the timeouts of the client
# lower the measured rate.
_MAX_LOST = 1e-3
_MAX_LOST_IN_BURSTS = 5e-2
_BURST = 1000
# Every n-th query of MIXED is for a new name.
_EVERY = 10


@dataclass(frozen=True)
class QueryLoad:
    """The maximum number of outstanding queries, and the rate, if it is limited."""

    outstanding: int
    rate: int = None

    @property
    def most_lost(self):
        """The share of queries that may be lost."""
        return _MAX_LOST if self.outstanding < _BURST else _MAX_LOST_IN_BURSTS

    @property
    def label(self):
        return f"{self.rate:,} queries/s" if self.rate else f"{self.outstanding:,} outstanding"


@dataclass(frozen=True)
class CacheScenario:
    """One kind of load. All peers have the same configuration in every scenario: the one in peers/dns/cache."""

    name: str
    about: str
    loads: tuple
    # Number of repeated names.
    names: int
    # One in this many queries is for a unique name; 0 for none.
    every: int = 0
    bars: tuple = ()
    # The figures by which Ballast is compared.
    compared: tuple = ("rate", "cpu")
    # Query logs of harness/query_logs.py with which Ballast is also measured.
    logs: tuple = ()

    @property
    def hits(self):
        """The share of queries that a cache can answer."""
        return 1 - 1 / self.every if self.every else 1.0

    def hit_fault(self, share):
        """Returns the fault if another share was answered from the cache: unique names were repeated, or names were not
        cached."""
        if abs(share - self.hits) <= 0.01:
            return []
        return [f"{share:.1%} of the queries were answered from the cache (expected: {self.hits:.0%})"]

    def known(self):
        """Returns the queries for the repeated names."""
        return [f"app{number}.{ZONE} A\n" for number in range(self.names)]

    def queries(self, mark, count):
        """Returns lines for dnsperf, which repeats them; `mark` makes names unique, `count` is the required number of
        lines."""
        known = self.known()
        if not self.every:
            return "".join(known)
        return "".join(
            known[number % len(known)] if number % self.every else f"{mark}-{number}.{ZONE} A\n" for number in range(count)
        )

    def needed(self, seconds):
        """Returns the number of lines that no run of this length exhausts."""
        return int(_MAX_RATE * seconds) if self.every else self.names


# More than two cores can handle.
_MAX_RATE = 250_000
_BARS = (
    Bar("dnsdist", "rate", 0.95, 1.05, "100 outstanding"),
    Bar("dnsdist", "cpu", 1.10, 0.90, "100 outstanding"),
    Bar("ent-dns", "rate", 1.50, 2.50, "100 outstanding"),
)

SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        CacheScenario(
            name="hits",
            about="1,000 names, all in the cache, at maximum rate",
            loads=(QueryLoad(100), QueryLoad(1000)),
            names=1000,
            bars=_BARS,
        ),
        CacheScenario(
            name="paced",
            about="ten names, all in the cache, at a fixed rate, as in the first table of Ent-DNS, which reports 0.243,"
            " 0.189, 0.117 and 0.111 ms on average (other hardware)",
            loads=tuple(QueryLoad(100, rate) for rate in (100, 500, 1000, 2000)),
            names=10,
            compared=("average", "p99"),
        ),
        CacheScenario(
            name="window",
            about="1,000 names, all in the cache, by number of outstanding queries, as in the second table of Ent-DNS,"
            " which reports 65,000 to 70,000 queries/s (other hardware, empty answers)",
            loads=tuple(QueryLoad(outstanding) for outstanding in (100, 500, 1000, 2000, 5000, 10_000)),
            names=1000,
        ),
        CacheScenario(
            name="misses",
            about="a unique name in every query, so that each goes to the upstream",
            loads=(QueryLoad(100),),
            names=1,
            every=1,
        ),
        CacheScenario(
            name="mixed",
            about="nine of ten queries for 1,000 names that are in the cache, the tenth for a unique name",
            loads=(QueryLoad(100),),
            names=1000,
            every=_EVERY,
        ),
        CacheScenario(
            name="log",
            about="1,000 names, all in the cache, at maximum rate; Ballast with the default query log, without one, and with one in a file",
            loads=(QueryLoad(100), QueryLoad(1000)),
            names=1000,
            logs=("off", "file"),
        ),
    )
}
# The default scenarios.
DEFAULT = tuple(SCENARIOS)
