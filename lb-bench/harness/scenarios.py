"""What is asked of the balancers, and how good Ballast has to be at it."""

from dataclasses import dataclass, field

from harness.bars import Bar, Ceiling
from harness.openloop import load_name

# At whose fastest the fixed rates are measured.
REFERENCE = "haproxy"


@dataclass(frozen=True)
class Scenario:
    name: str
    about: str
    path: str = "/"
    directory: str = ""
    # How many backends, and how many of them wait how long before each answer.
    backends: int = 4
    slow_backends: int = 0
    slow_ms: int = 0
    # Whether the backends that do not wait are one process on several addresses, rather than one each.
    one_backend_process: bool = False
    # Whether each request has a connection of its own.
    closes: bool = False
    # The closed loops, one for each number of connections; none if only fixed rates are asked for.
    connections: tuple = (128, 512)
    # The open loops, as shares of what REFERENCE did at most.
    shares: tuple = ()
    # What the rate counts: its unit, and how many bytes make one of it (none: requests are counted).
    unit: str = "requests/s"
    unit_bytes: int = 0
    # What is compared with every peer, whether there is a bar or not.
    figures: tuple = ("rate", "cpu", "p99")
    bars: tuple = field(default=())
    fixed_rate_bars: tuple = field(default=())
    ceilings: tuple = field(default=())

    @property
    def headers(self):
        return ("Connection: close",) if self.closes else ()

    def template(self, file):
        return f"{self.directory}/{file}" if self.directory else file

    def rate(self, load):
        return load.bytes / self.unit_bytes / load.seconds if self.unit_bytes else load.rate


_GET_BARS = (
    Bar("haproxy", "rate", 1.05, 1.20),
    Bar("haproxy", "cpu", 0.85, 0.68),
    Bar("nginx", "rate", 1.00, 1.10),
    Bar("nginx", "cpu", 0.95, 0.75),
    Bar("divisor", "rate", 1.50, 1.75),
    Bar("divisor", "cpu", 0.55, 0.45),
)
# Once for the names: the bar of the open loop is for half of what the reference did.
_HALF = 0.5
_HALF_RATE_BAR = Bar("haproxy", "p99", 1.10, 0.90, load_name(_HALF))

SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        Scenario(
            name="get",
            about="GET over HTTP/1.1 with keep-alive, four backends, default configuration; all send the same three"
            " forwarding headers",
            shares=(_HALF,),
            bars=_GET_BARS,
            fixed_rate_bars=(_HALF_RATE_BAR,),
        ),
        Scenario(
            name="get-plain",
            about="GET over HTTP/1.1 with keep-alive, four backends; nobody adds forwarding headers",
            directory="plain",
        ),
        Scenario(
            name="get-default",
            about="GET over HTTP/1.1 with keep-alive, four backends that are a process each; every balancer as it comes,"
            " with no more than its backends and nginx's keepalive",
            directory="default",
            shares=(_HALF,),
        ),
        Scenario(
            name="get-default-one",
            about="The same, but one process is all four backends",
            directory="default",
            one_backend_process=True,
        ),
        Scenario(
            name="hello",
            about="A fixed response, without a backend",
            path="/hello",
            directory="hello",
            backends=0,
            bars=(Bar("nginx", "rate", 0.90, 1.10),),
        ),
        Scenario(name="body-1k", about="Responses of 1 KiB", path="/1k"),
        Scenario(
            name="body-64k",
            about="Responses of 64 KiB",
            path="/64k",
            connections=(128,),
            unit="MiB/s",
            unit_bytes=1 << 20,
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
        Scenario(
            name="connection-per-request",
            about="Every request on a connection of its own, closed after the answer; connections to the four backends"
            " are kept. wrk's times begin when the connection is there, those at a fixed rate before it is opened",
            closes=True,
            connections=(128,),
            shares=(_HALF,),
        ),
        Scenario(
            name="slow-backends",
            about="Ten backends in turn, of which one waits 50 ms before each answer",
            backends=10,
            slow_backends=1,
            slow_ms=50,
            connections=(),
            shares=(_HALF,),
        ),
        Scenario(
            name="open-loop",
            about="GET at fixed rates, four backends, default configuration",
            connections=(),
            shares=(0.25, _HALF, 0.75),
            fixed_rate_bars=(_HALF_RATE_BAR,),
        ),
        Scenario(
            name="pooled",
            about="1,000 connections that ask all the time, and what that takes in memory",
            connections=(1000,),
            figures=("rate", "cpu", "p99", "rss"),
            ceilings=(Ceiling("rss", 200, 150, "RSS MB"),),
        ),
    )
}
# What runs when nothing is named.
DEFAULT = ("get", "get-plain")
