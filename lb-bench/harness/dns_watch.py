"""Records how the answer for a name changes."""

import threading
import time
from dataclasses import dataclass

from harness import dns_client, dns_wire

_EVERY_SECONDS = 0.005


@dataclass(frozen=True)
class WatchedAnswer:
    """One answer: its time in seconds since 1970, its addresses in order, its TTL."""

    at: float
    addresses: tuple
    ttl: int


class AnswerWatcher(threading.Thread):
    """Queries the A records of a name 200 times per second, from a new socket each time."""

    def __init__(self, port, name):
        super().__init__(daemon=True)
        self.seen = []
        # Queries without an answer, or with an unexpected one.
        self.failures = []
        self._port = port
        self._query = dns_wire.question(name, "A")
        self._stopped = threading.Event()

    def run(self):
        while not self._stopped.wait(_EVERY_SECONDS):
            try:
                answer = dns_wire.parse(dns_client.exchange(self._port, self._query)).answer
            except (OSError, dns_wire.Malformed) as e:
                self.failures.append(str(e))
                continue
            if answer:
                addresses = tuple(sorted(record.data for record in answer))
                self.seen.append(WatchedAnswer(time.time(), addresses, min(record.ttl for record in answer)))
            else:
                self.failures.append("an answer without records")

    def latest(self):
        return self.seen[-1].addresses if self.seen else ()

    def stop(self):
        self._stopped.set()
        self.join()


def changes(seen):
    """Returns the answers whose addresses or TTL differ from the previous answer, and the first one."""
    return [now for before, now in zip([None, *seen], seen) if before is None or _what(before) != _what(now)]


def _what(seen):
    return seen.addresses, seen.ttl


def last_naming(seen, address, begin, end):
    """Returns the time of the last answer between two times that contained the address; None if there was none."""
    return max((s.at for s in seen if begin <= s.at < end and address in s.addresses), default=None)


def first_without(seen, address, begin):
    """Returns the time of the first answer after a time that did not contain the address; None if there was none."""
    return min((s.at for s in seen if begin <= s.at and address not in s.addresses), default=None)


def ttls(seen, begin, end):
    """Returns the minimum and maximum TTL of the answers between two times; None without an answer."""
    values = [s.ttl for s in seen if begin <= s.at < end]
    return (min(values), max(values)) if values else None
