"""Idle connections after one response."""

import resource
import socket
import ssl

from harness import ports
from harness.workplace import Failure

_SPARE_FILES = 200
_REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


def most_connections():
    """Returns how many connections this process can open, after raising its file limit to the maximum."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard - _SPARE_FILES


class IdleConnections:
    """Keep-alive connections to a port, optionally with TLS, each after one request. Use it as a context manager."""

    def __init__(self, port, count, is_secure=False):
        tls = _trusting() if is_secure else None
        self._sockets = []
        try:
            for _ in range(count):
                self._sockets.append(_requested_once(port, tls))
        except OSError as e:
            self.close()
            raise Failure(f"connection {len(self._sockets) + 1} of {count}: {e}") from None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        while self._sockets:
            self._sockets.pop().close()


def _trusting():
    """Returns a TLS context without verification: the server is identified by its port."""
    tls = ssl.create_default_context()
    tls.check_hostname = False
    tls.verify_mode = ssl.CERT_NONE
    return tls


def _requested_once(port, tls):
    client = socket.create_connection((ports.LOOPBACK, port), timeout=10)
    try:
        if tls:
            client = tls.wrap_socket(client)
        client.sendall(_REQUEST)
        answer = client.recv(4096)
        if not answer.startswith(b"HTTP/1.1 200 "):
            raise OSError(f"answer {answer[:60]!r}")
    except OSError:
        client.close()
        raise
    return client
