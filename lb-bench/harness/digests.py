"""A backend for bodies of all sizes: GET /SIZE sends so many octets, POST answers with the SHA-256 of what came."""

import functools
import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from harness import ports

_PIECE = 1 << 16


@functools.lru_cache(maxsize=None)
def pattern(size):
    """The octets of a body of this size; programs/clients/README.md tells which."""
    base = bytes((i ^ i >> 8) & 0xFF for i in range(_PIECE))
    pieces = (_turned(base, number) for number in range(size // _PIECE + 1))
    return b"".join(pieces)[:size]


def _turned(base, number):
    return base.translate(bytes(octet ^ number & 0xFF for octet in range(256)))


def digest(size):
    return hashlib.sha256(pattern(size)).hexdigest()


class DigestBackend(ThreadingHTTPServer):
    """Listens from the start, in threads of this process."""

    daemon_threads = True
    request_queue_size = 128
    name = "backend-1"

    def __init__(self):
        self.port = ports.free()
        self.address = f"{ports.LOOPBACK}:{self.port}"
        super().__init__((ports.LOOPBACK, self.port), _Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """Health checks connect and leave; a cut transfer shows at the client."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = _PIECE

    def do_GET(self):
        self._answer(pattern(int(self.path[1:] or 0)))

    def do_POST(self):
        seen = hashlib.sha256()
        for piece in self._chunks() if self.headers["Transfer-Encoding"] else self._counted():
            seen.update(piece)
        self._answer(seen.hexdigest().encode())

    def _answer(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _counted(self):
        left = int(self.headers["Content-Length"] or 0)
        while left:
            piece = self.rfile.read(min(_PIECE, left))
            if not piece:
                raise ConnectionError("the body ended early")
            left -= len(piece)
            yield piece

    def _chunks(self):
        while size := int(self.rfile.readline().split(b";")[0], 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def log_message(self, format, *args):
        pass
