"""The closed loops of the protocol comparisons: each is one load by one tool."""

from dataclasses import dataclass

from harness import h2load, handshakes, ports, wrk

# An empty, uncompressed message: gRPC's flag byte and length prefix.
_EMPTY_MESSAGE = bytes(5)


@dataclass(frozen=True)
class Requests:
    """HTTP/1.1 by wrk, with keep-alive or a connection per request."""

    connections: int
    scheme: str = "http"
    path: str = "/"
    closes: bool = False

    tool = "wrk with one thread"
    how_to_get = "apt-get install wrk"
    version_command = ("wrk", "-v")

    def __str__(self):
        return f"{self.connections} connections"

    @property
    def in_flight(self):
        return self.connections

    def is_installed(self):
        return wrk.is_installed()

    def run(self, place, port, seconds):
        headers = ("Connection: close",) if self.closes else ()
        url = f"{self.scheme}://{ports.LOOPBACK}:{port}{self.path}"
        return wrk.run(url, self.connections, seconds, headers=headers)


@dataclass(frozen=True)
class Handshakes:
    """TLS connections, sequential in each of several workers."""

    workers: int
    resumes: bool

    tool = "a client of our own in Go (programs/handshakes), TLS 1.3 with X25519, one request on each connection"
    how_to_get = "install Go from https://go.dev/dl"
    version_command = ("go", "version")

    def __str__(self):
        return f"{self.workers} at once, {'resumed' if self.resumes else 'full'}"

    @property
    def in_flight(self):
        # The first connection of a worker, whose session the others resume, is not counted.
        return self.workers if self.resumes else 0

    def is_installed(self):
        return handshakes.is_installed()

    def run(self, place, port, seconds):
        return handshakes.run(port, self.workers, seconds, self.resumes)


@dataclass(frozen=True)
class Streams:
    """HTTP/2 by h2load: concurrent streams on each of a few connections."""

    clients: int
    streams: int
    scheme: str = "https"

    tool = "h2load with one thread"
    how_to_get = "apt-get install nghttp2-client"
    version_command = ("h2load", "--version")

    def __str__(self):
        return f"{self.clients} × {self.streams} streams"

    @property
    def in_flight(self):
        return self.clients * self.streams

    def is_installed(self):
        return h2load.is_installed()

    def run(self, place, port, seconds):
        return h2load.run(place, f"{self.scheme}://{ports.LOOPBACK}:{port}/", self.clients, self.streams, seconds)


@dataclass(frozen=True)
class Calls(Streams):
    """Unary gRPC calls with an empty message. h2load sees only HTTP statuses; the backend counts successful calls."""

    scheme: str = "http"

    tool = "h2load with one thread, sending the frames of a unary call"

    def run(self, place, port, seconds):
        url = f"{self.scheme}://{ports.LOOPBACK}:{port}/grpc.testing.BenchmarkService/UnaryCall"
        message = place.directory / "message"
        message.write_bytes(_EMPTY_MESSAGE)
        headers = ("content-type: application/grpc", "te: trailers")
        return h2load.run(place, url, self.clients, self.streams, seconds, headers, message)
