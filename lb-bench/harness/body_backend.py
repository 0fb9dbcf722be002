"""Common base of our backends that read and send bodies."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from harness import ports


class BodyBackend(ThreadingHTTPServer):
    """Listens on a free loopback port after construction; serves in threads of this process."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, handler):
        self.port = ports.free()
        self.address = f"{ports.LOOPBACK}:{self.port}"
        super().__init__((ports.LOOPBACK, self.port), handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """Ignores errors: health checks disconnect, and an aborted transfer is detected by the client."""


class BodyHandler(BaseHTTPRequestHandler):
    """One connection. A subclass sets `piece_bytes` and defines `do_GET` and `do_POST`."""

    protocol_version = "HTTP/1.1"
    piece_bytes = 1 << 16

    def setup(self):
        self.wbufsize = self.piece_bytes
        super().setup()

    def received(self):
        """Yields the pieces of the request body, with Content-Length or chunked."""
        return self._chunks() if self.headers["Transfer-Encoding"] else self._counted()

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _counted(self):
        left = int(self.headers["Content-Length"] or 0)
        while left:
            piece = self.rfile.read(min(self.piece_bytes, left))
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
