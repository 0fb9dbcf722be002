"""Addresses with one open port, for health checks to find: what DNS answers name needs to do no more."""

import selectors
import socket
import threading

from harness import ports
from harness.workplace import Failure

_MOST = 250 * 250


class Doors:
    """One port on `count` loopback addresses, 127.1.0.1 the first. Connections are taken and closed. Use as a context."""

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
            raise Failure(f"door {len(self._listening) + 1} of {len(self.hosts)}: {e}") from None
        self._thread.start()
        return self

    def open(self, host):
        door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._listening[host] = door
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.setblocking(False)
        door.bind((host, self.port))
        door.listen()
        self._selector.register(door, selectors.EVENT_READ)

    def shut(self, host):
        """Refuses connections from now on, until it is opened again."""
        door = self._listening.pop(host)
        self._selector.unregister(door)
        door.close()

    def _take(self):
        while not self._is_closing:
            for key, _ in self._selector.select(timeout=0.2):
                try:
                    key.fileobj.accept()[0].close()
                except OSError:
                    # Gone before it was taken.
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
