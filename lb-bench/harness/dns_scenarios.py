"""The scenarios for DNS servers, and their bars."""

from dataclasses import dataclass

from harness import dnsperf
from harness.bars import Bar

ZONE = "bench.example"
# The records of names without health checks.
_ADDRESSES = ("192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4")
# Ballast itself with the configuration of PLAIN, for comparison with its other features.
PLAIN_PEER = "plain"
PLAIN = "a4"


@dataclass(frozen=True)
class DnsScenario:
    """One kind of query. The configurations are in peers/dns/NAME, one per server."""

    name: str
    about: str
    peers: tuple
    # Bars with a Java that can call recvmmsg directly, and with an older one.
    bars: tuple
    bars_before_java_22: tuple
    names: int = 1
    # Number of checked addresses; 0 if the records are static.
    backends: int = 4
    # Number of records in an answer.
    records: int = 4
    # Whether the zone is signed and queries ask for signatures.
    is_signed: bool = False
    # Whether a second pool has the same number of other backends.
    has_far_pool: bool = False
    # Number of networks per region; if not 0, queries contain the client's network.
    networks: int = 0

    def template(self, file):
        return f"dns/{self.name}/{file}"

    @property
    def addresses(self):
        """Returns the number of checked addresses in all pools."""
        return self.backends * (2 if self.has_far_pool else 1)

    @property
    def options(self):
        """Returns the dnsperf options."""
        return (dnsperf.SIGNED if self.is_signed else ()) + (dnsperf.CLIENT_SUBNET if self.networks else ())

    def labels(self):
        return [f"app{number}" for number in range(self.names)]

    def static_records(self):
        return "\n".join(f"{label} 30 A {address}" for label in self.labels() for address in _ADDRESSES)

    def network_lists(self):
        """Returns two regions' interleaved networks, which cannot be merged."""
        listed = [f"10.{number // 256}.{number % 256}.0/24" for number in range(self.networks)]
        return ", ".join(listed[0::2]), ", ".join(listed[1::2])

    def queries(self):
        return "".join(f"{label}.{ZONE} A\n" for label in self.labels())

    def bars_for(self, java_major):
        return self.bars if java_major >= 22 else self.bars_before_java_22


_KNOT = (Bar("knot", "rate", 1.00, 1.10), Bar("knot", "cpu", 1.00, 0.80))
_OPENGSLB = (Bar("opengslb", "rate", 1.90, 2.10), Bar("opengslb", "cpu", 0.40, 0.33))
_OWN = (Bar(PLAIN_PEER, "rate", 0.90, 0.97),)


def _beside_plain(**values):
    """Returns bars relative to Ballast's plain answers."""
    return DnsScenario(peers=(PLAIN_PEER,), bars=_OWN, bars_before_java_22=_OWN, **values)


SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        DnsScenario(
            name=PLAIN,
            about="A queries over UDP for one name with four records, with health checks of all addresses",
            peers=("gdnsd",),
            bars=(Bar("gdnsd", "rate", 0.98, 1.05), Bar("gdnsd", "cpu", 1.05, 0.90)),
            bars_before_java_22=(Bar("gdnsd", "rate", 0.90, 1.00), Bar("gdnsd", "cpu", 1.35, 1.20)),
        ),
        DnsScenario(
            name="names",
            about="A queries over UDP for 1,000 names with four static records each, from one zone file",
            peers=("knot",),
            bars=_KNOT,
            bars_before_java_22=_KNOT,
            names=1000,
            backends=0,
        ),
        DnsScenario(
            name="one",
            about="A queries over UDP for one name, answered with one of four addresses",
            peers=("opengslb", "gdnsd"),
            bars=_OPENGSLB,
            bars_before_java_22=_OPENGSLB,
            records=1,
        ),
        _beside_plain(
            name="backends-1000",
            about="A queries over UDP for one name, answered with four of 1,000 addresses, with health checks of all",
            backends=1000,
        ),
        _beside_plain(
            name="dnssec",
            about="A queries over UDP with DO for one name with four records, with health checks of all"
            " addresses; `plain` is queried without DO",
            is_signed=True,
        ),
        _beside_plain(
            name="geo",
            about="A queries over UDP with ECS for one name with four records by the client's region,"
            " determined by 10,000 networks; `plain` is queried without ECS",
            has_far_pool=True,
            networks=10_000,
        ),
        _beside_plain(
            name="latency",
            about="A queries over UDP for one name with four records, those of the pool with the lower check latency",
            has_far_pool=True,
        ),
    )
}
# The default scenarios.
DEFAULT = tuple(SCENARIOS)
