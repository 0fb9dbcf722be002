"""Loopback addresses with an open port, as targets of health checks by TCP."""

import selectors
import socket
import threading

from harness import ports
from harness.workplace import Failure

_MOST = 250 * 250


class OpenPorts:
    """One port on `count` loopback addresses, starting with 127.1.0.1. Accepts and closes connections. Use it as a
    context manager."""

    def __init__(self, count):
        if count > _MOST:
            raise ValueError(f"count: {count} (expected: <= {_MOST})")
        self.port = ports.free()
        self.hosts = [_host(number) for number in range(count)]
        self._listening = {}
        self._selector = selectors.DefaultSelector()
        self._is_closing = False
        self._thread = threading.Thread(target=self._take, daemon=True)

    @property
    def addresses(self):
        return [f"{host}:{self.port}" for host in self.hosts]

    def __enter__(self):
        try:
            for host in self.hosts:
                self.open(host)
        except OSError as e:
            self.__exit__()
            raise Failure(f"port {len(self._listening) + 1} of {len(self.hosts)}: {e}") from None
        self._thread.start()
        return self

    def open(self, host):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._listening[host] = listener
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setblocking(False)
        listener.bind((host, self.port))
        listener.listen()
        self._selector.register(listener, selectors.EVENT_READ)

    def shut(self, host):
        """Refuses connections until it is opened again."""
        listener = self._listening.pop(host)
        self._selector.unregister(listener)
        listener.close()

    def _take(self):
        while not self._is_closing:
            for key, _ in self._selector.select(timeout=0.2):
                try:
                    key.fileobj.accept()[0].close()
                except OSError:
                    # The client disconnected before the accept.
                    pass

    def __exit__(self, *_):
        self._is_closing = True
        if self._thread.is_alive():
            self._thread.join()
        self._selector.close()
        while self._listening:
            self._listening.popitem()[1].close()


def _host(number):
    return f"127.1.{number // 250}.{number % 250 + 1}"
