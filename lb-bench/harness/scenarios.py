"""What is asked of the balancers, and how good Ballast has to be at it."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Bar:
    """Ballast's figure divided by the peer's, in one round: at least or at most `bar`; `aim` is where we want to be."""

    peer: str
    figure: str
    bar: float
    aim: float

    @property
    def is_floor(self):
        """Whether more is better: so it is for rates, and for nothing else."""
        return self.figure == "rate"

    def is_met(self, ratio):
        return ratio >= self.bar if self.is_floor else ratio <= self.bar

    def __str__(self):
        return f"{'≥' if self.is_floor else '≤'} {self.bar:.2f}"


@dataclass(frozen=True)
class Scenario:
    name: str
    about: str
    path: str
    directory: str = ""
    has_backends: bool = True
    connections: tuple = (128, 512)
    # What the rate counts: its unit, and how many bytes make one of it (none: requests are counted).
    unit: str = "requests/s"
    unit_bytes: int = 0
    bars: tuple = field(default=())
    # The bar of the open loop, at half the rate that this peer reached.
    fixed_rate_bar: Bar = None

    def template(self, file):
        return f"{self.directory}/{file}" if self.directory else file

    def rate(self, load):
        return load.bytes / self.unit_bytes / load.seconds if self.unit_bytes else load.rate


SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        Scenario(
            name="get",
            about="GET over HTTP/1.1 with keep-alive, four backends, default configuration",
            path="/",
            bars=(
                Bar("haproxy", "rate", 1.05, 1.20),
                Bar("haproxy", "cpu", 0.85, 0.68),
                Bar("nginx", "rate", 1.00, 1.10),
                Bar("nginx", "cpu", 0.95, 0.75),
                Bar("divisor", "rate", 1.50, 1.75),
                Bar("divisor", "cpu", 0.55, 0.45),
            ),
            fixed_rate_bar=Bar("haproxy", "p99", 1.10, 0.90),
        ),
        Scenario(
            name="hello",
            about="A fixed response, without a backend",
            path="/hello",
            directory="hello",
            has_backends=False,
            bars=(Bar("nginx", "rate", 0.90, 1.10),),
        ),
        Scenario(
            name="body-1m",
            about="Responses of 1 MiB",
            path="/1m",
            connections=(32,),
            unit="MiB/s",
            unit_bytes=1 << 20,
            bars=(Bar("haproxy", "rate", 0.95, 1.10),),
        ),
    )
}
