"""Connections that have had one answer and now wait."""

import resource
import socket

from harness import ports
from harness.workplace import Failure

_SPARE_FILES = 200
_REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


def most_connections():
    """How many this process may open, with the limit of files raised as far as it may be."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard - _SPARE_FILES


class IdleConnections:
    """Keep-alive connections to a port, each after one request. Use as a context."""

    def __init__(self, port, count):
        self._sockets = []
        try:
            for _ in range(count):
                self._sockets.append(_asked_once(port))
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


def _asked_once(port):
    client = socket.create_connection((ports.LOOPBACK, port), timeout=10)
    client.sendall(_REQUEST)
    answer = client.recv(4096)
    if not answer.startswith(b"HTTP/1.1 200 "):
        client.close()
        raise OSError(f"answer {answer[:60]!r}")
    return client
