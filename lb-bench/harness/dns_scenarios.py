"""What is asked of the DNS servers, and how good Ballast has to be at it."""

from dataclasses import dataclass

from harness.bars import Bar

ZONE = "bench.example"
ADDRESSES = ("192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4")


@dataclass(frozen=True)
class DnsScenario:
    name: str
    about: str
    names: int
    # With a Java that can call recvmmsg directly, and with an older one.
    bars: tuple
    bars_before_java_22: tuple

    def labels(self):
        return [f"app{number}" for number in range(self.names)]

    def services(self):
        return "\n".join(f"        - {{name: {label}, pool: web, ttl: 30s}}" for label in self.labels())

    def records(self):
        return "\n".join(f"{label} 30 A {address}" for label in self.labels() for address in ADDRESSES)

    def queries(self):
        return "".join(f"{label}.{ZONE} A\n" for label in self.labels())


_KNOT = (Bar("knot", "rate", 1.00, 1.10), Bar("knot", "cpu", 1.00, 0.80))

SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        DnsScenario(
            name="one-name",
            about="A queries over UDP for one name with four records",
            names=1,
            bars=(Bar("gdnsd", "rate", 0.98, 1.05), Bar("gdnsd", "cpu", 1.05, 0.90)),
            bars_before_java_22=(Bar("gdnsd", "rate", 0.90, 1.00), Bar("gdnsd", "cpu", 1.35, 1.20)),
        ),
        DnsScenario(
            name="names-1000",
            about="A queries over UDP for 1,000 names with four records each",
            names=1000,
            bars=_KNOT,
            bars_before_java_22=_KNOT,
        ),
    )
}
