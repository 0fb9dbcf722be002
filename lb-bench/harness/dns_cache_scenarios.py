"""What is asked of DNS forwarders with a cache, and how good Ballast has to be at it."""

from dataclasses import dataclass

from harness.bars import Bar
from harness.dns_scenarios import ZONE

# More than this share of lost queries is no result: UDP may lose a datagram when a core is taken away for a moment. Who waits
# for more answers than a socket's buffer holds queries loses some in every burst, and waits for those: that is a result.
_MOST_LOST = 1e-3
_MOST_LOST_IN_BURSTS = 5e-2
_BURST = 1000
# Every so manieth query of MIXED is for a name that has not been asked for.
_EVERY = 10


@dataclass(frozen=True)
class Load:
    """How many queries wait at most, and how many are sent in a second if not as fast as it goes."""

    outstanding: int
    rate: int = None

    @property
    def most_lost(self):
        """The share of queries that may be lost."""
        return _MOST_LOST if self.outstanding < _BURST else _MOST_LOST_IN_BURSTS

    @property
    def label(self):
        return f"{self.rate:,} queries/s" if self.rate else f"{self.outstanding:,} outstanding"


@dataclass(frozen=True)
class CacheScenario:
    """One kind of load. All peers have the same configuration in every scenario: that in peers/dns/cache."""

    name: str
    about: str
    loads: tuple
    # Names that are asked for again and again.
    names: int
    # Of that many queries one is for a name of its own; 0 if none is.
    every: int = 0
    bars: tuple = ()
    # What Ballast is compared by.
    compared: tuple = ("rate", "cpu")
    # Query logs of harness/query_logs.py with which Ballast stands beside itself.
    logs: tuple = ()

    @property
    def hits(self):
        """The share of queries that a cache can answer."""
        return 1 - 1 / self.every if self.every else 1.0

    def hit_fault(self, share):
        """What is wrong if that share was answered from the cache: names came again, or were not kept."""
        if abs(share - self.hits) <= 0.01:
            return []
        return [f"{share:.1%} of the queries were answered from the cache (expected: {self.hits:.0%})"]

    def known(self):
        """The queries for the names that come again."""
        return [f"app{number}.{ZONE} A\n" for number in range(self.names)]

    def queries(self, mark, count):
        """Lines for dnsperf, which begins anew at their end; `mark` makes names new, `count` is how many lines that takes."""
        known = self.known()
        if not self.every:
            return "".join(known)
        return "".join(
            known[number % len(known)] if number % self.every else f"{mark}-{number}.{ZONE} A\n" for number in range(count)
        )

    def needed(self, seconds):
        """How many lines no run of that length comes to the end of."""
        return int(_MOST_A_SECOND * seconds) if self.every else self.names


# More than two cores can do.
_MOST_A_SECOND = 250_000
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
            about="1,000 names, all of them in the cache, as fast as it goes",
            loads=(Load(100), Load(1000)),
            names=1000,
            bars=_BARS,
        ),
        CacheScenario(
            name="paced",
            about="ten names, all of them in the cache, at a fixed rate, as in the first table of Ent-DNS, which says 0.243,"
            " 0.189, 0.117 and 0.111 ms on average (other hardware)",
            loads=tuple(Load(100, rate) for rate in (100, 500, 1000, 2000)),
            names=10,
            compared=("average", "p99"),
        ),
        CacheScenario(
            name="window",
            about="1,000 names, all of them in the cache, by how many queries wait at once, as in the second table of Ent-DNS,"
            " which says 65,000 to 70,000 queries/s (other hardware, empty answers)",
            loads=tuple(Load(outstanding) for outstanding in (100, 500, 1000, 2000, 5000, 10_000)),
            names=1000,
        ),
        CacheScenario(
            name="misses",
            about="a name of its own in every query, so that the upstream is asked each time",
            loads=(Load(100),),
            names=1,
            every=1,
        ),
        CacheScenario(
            name="mixed",
            about="nine of ten queries for 1,000 names that are in the cache, the tenth for a name of its own",
            loads=(Load(100),),
            names=1000,
            every=_EVERY,
        ),
        CacheScenario(
            name="log",
            about="1,000 names, all of them in the cache, as fast as it goes; Ballast's query log as it comes, off, and in a file",
            loads=(Load(100), Load(1000)),
            names=1000,
            logs=("off", "file"),
        ),
    )
}
# What runs when nothing is named.
DEFAULT = tuple(SCENARIOS)
