"""Bodies that are too large for memory: a backend and a client of our own that stream them and keep only a hash."""

import hashlib
import http.client
import time

from harness import ports
from harness.body_backend import BodyBackend, BodyHandler

PIECE = 1 << 18
# A server whose client does not read must stall; the balancer in between must not buffer the rest.
_STALL_AFTER = 4 << 20


class Pieces:
    """Generates a number of bytes without repetition: pieces of random bytes that each contain their index."""

    def __init__(self, size, seed=hashlib.sha512(b"ballast").digest()):
        self._size = size
        self._block = bytearray((seed * (PIECE // len(seed) + 1))[:PIECE])
        self._hash = hashlib.blake2b()

    def __iter__(self):
        left, number = self._size, 0
        while left:
            self._block[:8] = number.to_bytes(8, "big")
            piece = bytes(self._block[:left])
            self._hash.update(piece)
            yield piece
            left -= len(piece)
            number += 1

    def digest(self):
        """Returns the hash of the bytes produced so far."""
        return self._hash.hexdigest()


class Sink:
    """Consumes pieces; pauses once if configured."""

    def __init__(self, stall_seconds):
        self.bytes = 0
        self._stall_seconds = stall_seconds
        self._hash = hashlib.blake2b()

    def take(self, piece):
        self._hash.update(piece)
        self.bytes += len(piece)
        if self._stall_seconds and self.bytes > _STALL_AFTER:
            time.sleep(self._stall_seconds)
            self._stall_seconds = 0

    def digest(self):
        return self._hash.hexdigest()


class BigBackend(BodyBackend):
    """GET sends `size` bytes, POST receives a body and responds with its hash; both with Content-Length or chunked."""

    def __init__(self, size, stall_seconds):
        self.size = size
        self.stall_seconds = stall_seconds
        super().__init__(_BigHandler)


class _BigHandler(BodyHandler):
    piece_bytes = PIECE

    def do_GET(self):
        chunked = self.path.endswith("chunked")
        self.send_response(200)
        _send_framing(self.send_header, self.server.size, chunked)
        self.end_headers()
        for piece in Pieces(self.server.size):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece)
        if chunked:
            self.wfile.write(b"0\r\n\r\n")

    def do_POST(self):
        sink = Sink(self.server.stall_seconds)
        for piece in self.received():
            sink.take(piece)
        self.answer(sink.digest().encode())


def _send_framing(put, size, chunked):
    if chunked:
        put("Transfer-Encoding", "chunked")
    else:
        put("Content-Length", str(size))


def download(port, size, stall_seconds, chunked):
    """Returns (bytes received, whether they match the bytes sent)."""
    connection = _connect(port)
    connection.request("GET", "/chunked" if chunked else "/length")
    response = connection.getresponse()
    sink = Sink(stall_seconds)
    while piece := response.read(PIECE):
        sink.take(piece)
    connection.close()
    sent = Pieces(size)
    for _ in sent:
        pass
    return sink.bytes, response.status == 200 and sink.digest() == sent.digest()


def upload(port, size, chunked):
    """Returns (bytes sent, whether the backend received the same bytes)."""
    connection = _connect(port)
    pieces = Pieces(size)
    connection.putrequest("POST", "/")
    _send_framing(connection.putheader, size, chunked)
    connection.endheaders()
    for piece in pieces:
        connection.send(b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece)
    if chunked:
        connection.send(b"0\r\n\r\n")
    response = connection.getresponse()
    digest = response.read().decode()
    connection.close()
    return size, response.status == 200 and digest == pieces.digest()


def _connect(port):
    return http.client.HTTPConnection(ports.LOOPBACK, port, timeout=60)
