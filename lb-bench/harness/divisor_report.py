"""Divisor's published results: https://github.com/aaydin-tr/divisor, benchmark/README.md.

Measured by its authors on an AMD Ryzen 5 5500 with Windows 10 and Docker; absolute figures are not comparable with
ours.
"""

from dataclasses import dataclass

# The addresses in config/divisor/*.yaml, in their order.
ADDRESSES = ("localhost:8080", "localhost:7070", "localhost:6060", "localhost:5050")


@dataclass(frozen=True)
class Published:
    """One scenario. `backends` has (requests, average response time in ms) for each of ADDRESSES."""

    strategy: str
    rate: float
    average_ms: float
    max_ms: float
    ok: int
    backends: tuple
    delays_ms: tuple = (0, 0, 0, 0)

    @property
    def config(self):
        return f"config/divisor/{self.strategy}.yaml"


SCENARIOS = (
    Published(
        "round-robin", 43250.29, 11.85, 1020, 432027,
        ((108006, 9.814), (108007, 9.949), (108007, 9.874), (108007, 9.714)),
    ),
    Published(
        "w-round-robin", 42840.75, 11.95, 1380, 428556,
        ((214277, 10.210), (85712, 9.514), (85711, 9.337), (42856, 9.127)),
    ),
    Published(
        "random", 40655.88, 12.60, 970, 406473,
        ((102333, 10.419), (101397, 10.440), (101472, 10.328), (101271, 10.407)),
    ),
    Published(
        "ip-hash", 45066.93, 11.36, 1370, 450520,
        ((450520, 9.225), (0, 0.0), (0, 0.0), (0, 0.0)),
    ),
    Published(
        "least-connection", 39916.85, 12.81, 1390, 400038,
        ((14489, 81.946), (174030, 5.924), (175242, 5.873), (36277, 31.917)),
        delays_ms=(75, 0, 0, 25),
    ),
)
