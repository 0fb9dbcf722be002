"""The scenarios for TLS, HTTP/2, TCP and gRPC, and their bars."""

from dataclasses import dataclass
from typing import Callable

from harness import backends, grpc_backends, h2load, loopback, ports
from harness.bars import Bar
from harness.closed_loops import Calls, Handshakes, Requests, Streams


def _answers_http(port):
    return loopback.is_ok(f"http://{ports.LOOPBACK}:{port}/")


def _answers_https(port):
    return loopback.is_ok(f"https://{ports.LOOPBACK}:{port}/")


def _answers_http2(port):
    return h2load.is_ok(f"http://{ports.LOOPBACK}:{port}/")


@dataclass(frozen=True)
class ProtocolScenario:
    name: str
    about: str
    # A directory of lb-bench/peers.
    directory: str
    loads: tuple
    bars: tuple
    start_backends: Callable = backends.start
    answers: Callable = _answers_https
    unit: str = "requests/s"
    # The number of bytes of one unit; 0 if requests are counted.
    unit_bytes: int = 0
    # Whether Ballast's count must equal that of the backends.
    is_counted: bool = True
    figures: tuple = ("rate", "cpu", "p99")
    # The peers of this scenario, if they are not those of its subcommand.
    own_peers: tuple = ()

    @property
    def uses_tls(self):
        return self.answers is _answers_https

    def template(self, file):
        return f"{self.directory}/{file}"

    def rate(self, load):
        return load.bytes / self.unit_bytes / load.seconds if self.unit_bytes else load.rate


def _no_backends(_place):
    return []


def _by_name(*scenarios):
    return {scenario.name: scenario for scenario in scenarios}


_HANDSHAKES_BAR = (Bar("haproxy", "rate", 0.95, 0.95),)

# By the subcommand of `compare`.
SCENARIOS = {
    "https": _by_name(
        ProtocolScenario(
            name="keep-alive",
            about="GET over HTTPS with keep-alive, four backends over plain HTTP",
            directory="tls",
            loads=(Requests(128, "https"),),
            bars=(
                Bar("haproxy", "rate", 1.10, 1.20),
                Bar("haproxy", "cpu", 0.85, 0.85),
                Bar("nginx", "rate", 1.00, 1.00),
            ),
        ),
        ProtocolScenario(
            name="full",
            about="New TLS 1.3 connections with a full handshake, one request on each",
            directory="tls",
            loads=(Handshakes(32, resumes=False),),
            unit="connections/s",
            bars=_HANDSHAKES_BAR,
        ),
        ProtocolScenario(
            name="resumed",
            about="New TLS 1.3 connections that resume a session, one request on each",
            directory="tls",
            loads=(Handshakes(32, resumes=True),),
            unit="connections/s",
            bars=_HANDSHAKES_BAR,
        ),
    ),
    "h2": _by_name(
        ProtocolScenario(
            name="streams",
            about="GET over HTTP/2 and TLS, four backends over plain HTTP/1.1",
            directory="tls",
            loads=(Streams(10, 32),),
            bars=(
                Bar("haproxy", "rate", 1.00, 1.20),
                Bar("haproxy", "cpu", 1.00, 0.75),
                Bar("nginx", "rate", 1.40, 1.40),
            ),
        ),
        ProtocolScenario(
            name="codec",
            about="A fixed response over HTTP/2 without TLS, by Ballast and by a bare server on Netty's codec, both with"
            " epoll. Ballast also routes, counts and limits",
            directory="codec",
            loads=(Streams(10, 32, "http"),),
            start_backends=_no_backends,
            answers=_answers_http2,
            own_peers=("netty-codec",),
            # Ballast keeps its own codec only while it saves this much.
            bars=(Bar("netty-codec", "cpu", 0.85, 0.70),),
        ),
    ),
    "tcp": _by_name(
        ProtocolScenario(
            name="connections",
            about="TCP connections, each for one request, answered and closed by the backend",
            directory="tcp",
            loads=(Requests(128, closes=True),),
            answers=_answers_http,
            unit="connections/s",
            is_counted=False,
            bars=(Bar("haproxy", "rate", 0.90, 1.00),),
        ),
        ProtocolScenario(
            name="bytes",
            about="Bytes over TCP from the backends' page cache, 1 MiB at a time",
            directory="tcp",
            loads=(Requests(32, path="/1m"),),
            answers=_answers_http,
            unit="MiB/s",
            unit_bytes=1 << 20,
            is_counted=False,
            bars=(Bar("haproxy", "rate", 0.95, 1.00),),
        ),
    ),
    "grpc": _by_name(
        ProtocolScenario(
            name="unary",
            about="Unary gRPC calls with an empty message, HTTP/2 without TLS on both sides; one process serves all four backends",
            directory="grpc",
            loads=(Calls(10, 32),),
            start_backends=grpc_backends.start,
            answers=grpc_backends.answers,
            unit="calls/s",
            bars=(Bar("nginx", "rate", 1.00, 1.30),),
        ),
    ),
}
