"""A normal client that sends requests on new connections, and records the result of each."""

import socket
import statistics
import threading
import time
from dataclasses import dataclass

from harness import ports

LIMIT_SECONDS = 3.0
_PAUSE_SECONDS = 0.25


@dataclass(frozen=True)
class Probes:
    """The results of the probes: seconds of the successful ones, and the number of failed ones."""

    seconds: tuple
    failed: int

    @property
    def count(self):
        return len(self.seconds) + self.failed

    @property
    def median_ms(self):
        return statistics.median(self.seconds) * 1000 if self.seconds else None

    def __add__(self, other):
        return Probes(self.seconds + other.seconds, self.failed + other.failed)


class Prober(threading.Thread):
    """Probes until it is stopped. A probe that takes longer than LIMIT_SECONDS from the connect to the last byte has
    failed."""

    def __init__(self, port, path="/"):
        super().__init__(daemon=True)
        self._port = port
        self._request = f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode()
        self._seconds = []
        self._failed = 0
        self._stopped = threading.Event()

    def run(self):
        while not self._stopped.is_set():
            seconds = self.probe()
            if seconds is None:
                self._failed += 1
            else:
                self._seconds.append(seconds)
            self._stopped.wait(_PAUSE_SECONDS)

    def stop(self):
        """Stops, and returns the results."""
        self._stopped.set()
        self.join()
        return Probes(tuple(self._seconds), self._failed)

    def probe(self):
        """Returns the seconds that one request took; None if it failed."""
        begin = time.monotonic()
        try:
            with socket.create_connection((ports.LOOPBACK, self._port), timeout=LIMIT_SECONDS) as client:
                client.sendall(self._request)
                answer = b""
                while True:
                    left = begin + LIMIT_SECONDS - time.monotonic()
                    if left <= 0:
                        return None
                    client.settimeout(left)
                    received = client.recv(65536)
                    if not received:
                        break
                    answer += received
        except OSError:
            return None
        return time.monotonic() - begin if answer.startswith(b"HTTP/1.1 200 ") else None
