"""Follows what a name is answered with, as it changes."""

import threading
import time
from dataclasses import dataclass

from harness import dns_client, dns_wire

_EVERY_SECONDS = 0.005


@dataclass(frozen=True)
class Seen:
    """One answer: when it came (seconds since 1970), its addresses in order, its TTL."""

    at: float
    addresses: tuple
    ttl: int


class Watcher(threading.Thread):
    """Asks for the A records of a name 200 times a second, from a socket of its own each time."""

    def __init__(self, port, name):
        super().__init__(daemon=True)
        self.seen = []
        # Questions that had no answer, or an odd one.
        self.failures = []
        self._port = port
        self._query = dns_wire.question(name, "A")
        self._stopped = threading.Event()

    def run(self):
        while not self._stopped.wait(_EVERY_SECONDS):
            try:
                answer = dns_wire.parse(dns_client.ask(self._port, self._query)).answer
            except (OSError, dns_wire.Malformed) as e:
                self.failures.append(str(e))
                continue
            if answer:
                addresses = tuple(sorted(record.data for record in answer))
                self.seen.append(Seen(time.time(), addresses, min(record.ttl for record in answer)))
            else:
                self.failures.append("an answer without records")

    def latest(self):
        return self.seen[-1].addresses if self.seen else ()

    def stop(self):
        self._stopped.set()
        self.join()


def changes(seen):
    """Those answers that differ from the one before, by their addresses or their TTL; the first always does."""
    return [now for before, now in zip([None, *seen], seen) if before is None or _what(before) != _what(now)]


def _what(seen):
    return seen.addresses, seen.ttl


def last_naming(seen, address, begin, end):
    """When the last answer between two times named the address; None if none did."""
    return max((s.at for s in seen if begin <= s.at < end and address in s.addresses), default=None)


def first_without(seen, address, begin):
    """When the first answer from a time on came without the address; None if none did."""
    return min((s.at for s in seen if begin <= s.at and address not in s.addresses), default=None)


def ttls(seen, begin, end):
    """The least and the greatest TTL of the answers between two times; None if there was none."""
    values = [s.ttl for s in seen if begin <= s.at < end]
    return (min(values), max(values)) if values else None
