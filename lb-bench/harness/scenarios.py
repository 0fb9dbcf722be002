"""The scenarios for the HTTP balancers, and their bars."""

from dataclasses import dataclass, field

from harness.bars import Bar, Ceiling
from harness.openloop import load_name

# Fixed rates are shares of this peer's maximum.
REFERENCE = "haproxy"


@dataclass(frozen=True)
class Scenario:
    name: str
    about: str
    path: str = "/"
    directory: str = ""
    # Number of backends; the number of delaying ones, and their delay.
    backends: int = 4
    slow_backends: int = 0
    slow_ms: int = 0
    # Whether the backends without a delay are one process on several addresses.
    one_backend_process: bool = False
    # The peers that can run this scenario.
    able_peers: tuple = ("haproxy", "nginx", "divisor")
    # Header lines of each request, such as "Accept-Encoding: gzip", and the status of a request without them.
    request_headers: tuple = ()
    status_without_headers: int = 200
    # A header and its value that responses must have; empty for none.
    response_header: tuple = ()
    # Whether each request uses a connection of its own.
    closes: bool = False
    # The closed loops by number of connections; none if only fixed rates are measured.
    connections: tuple = (128, 512)
    # The open loops as shares of REFERENCE's maximum.
    shares: tuple = ()
    # Whether the backends answer each request. If not, the balancer has its responses in a cache, or in files.
    reaches_backends: bool = True
    # The unit of the rate, and its number of bytes (0: requests are counted).
    unit: str = "requests/s"
    unit_bytes: int = 0
    # The figures that are compared with every peer, also without a bar.
    figures: tuple = ("rate", "cpu", "p99")
    bars: tuple = field(default=())
    fixed_rate_bars: tuple = field(default=())
    ceilings: tuple = field(default=())

    @property
    def headers(self):
        return (*self.request_headers, *(("Connection: close",) if self.closes else ()))

    def prepare(self, _place):
        """Returns the scenario to run in a workplace."""
        return self

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
# The bar of the open loop applies to half of the reference's maximum.
_HALF = 0.5
_HALF_RATE_BAR = Bar("haproxy", "p99", 1.10, 0.90, load_name(_HALF))

SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        Scenario(
            name="get",
            about="GET over HTTP/1.1 with keep-alive, four backends, default configuration; all add the same three"
            " forwarding headers",
            shares=(_HALF,),
            bars=_GET_BARS,
            fixed_rate_bars=(_HALF_RATE_BAR,),
        ),
        Scenario(
            name="get-plain",
            about="GET over HTTP/1.1 with keep-alive, four backends; no balancer adds forwarding headers",
            directory="plain",
        ),
        Scenario(
            name="get-default",
            about="GET over HTTP/1.1 with keep-alive, four backends in a process each; every balancer with default settings,"
            " except for its backends and nginx's keepalive",
            directory="default",
            shares=(_HALF,),
        ),
        Scenario(
            name="get-default-one",
            about="The same, but one process serves all four backends",
            directory="default",
            one_backend_process=True,
        ),
        Scenario(
            name="hello",
            about="A fixed response, without a backend",
            path="/hello",
            directory="hello",
            backends=0,
            able_peers=("haproxy", "nginx"),
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
            about="Every request on a connection of its own, closed after the response; connections to the four backends"
            " are reused. wrk's times start after the connect, those at a fixed rate before it",
            closes=True,
            connections=(128,),
            shares=(_HALF,),
        ),
        Scenario(
            name="slow-backends",
            about="Ten backends in turn, of which one delays each response by 50 ms",
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
            about="1,000 busy connections, and their memory",
            connections=(1000,),
            figures=("rate", "cpu", "p99", "rss"),
            ceilings=(Ceiling("rss", 200, 150, "RSS MB"),),
        ),
    )
}
# The default scenarios.
DEFAULT = ("get", "get-plain")
