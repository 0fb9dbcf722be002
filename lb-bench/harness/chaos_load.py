"""The clients of a chaos run: requests with unique ids, and queries for the pool's name."""

import http.client
import random
import threading
import time
from dataclasses import dataclass

from harness import dns_client, dns_wire, ports

ID = "X-Chaos-Id"
SECONDS = 20.0


@dataclass(frozen=True)
class SentRequest:
    """One request as its client saw it; times are those of the monotonic clock, in seconds."""

    id: str
    method: str
    begin: float
    end: float
    # 0 without a complete response.
    status: int
    # The unexpected response; empty if it was correct.
    fault: str = ""


class RequestClient(threading.Thread):
    """Sends requests at a rate over one connection until it is stopped."""

    def __init__(self, number, port, rate, seed, stopped):
        super().__init__(daemon=True)
        self.sent = []
        self._number = number
        self._port = port
        self._pause = 1 / rate
        self._draw = random.Random(seed * 1000 + number)
        self._stopped = stopped
        self._connection = None

    def run(self):
        due = time.monotonic()
        while not self._stopped.is_set():
            self.sent.append(self._request(f"{self._number}-{len(self.sent)}"))
            due = max(due + self._pause, time.monotonic() - 1)
            self._stopped.wait(max(0.0, due - time.monotonic()))
        if self._connection is not None:
            self._connection.close()

    def _request(self, identity):
        method = "POST" if self._draw.random() < 0.3 else "GET"
        if self._connection is None:
            self._connection = http.client.HTTPConnection(ports.LOOPBACK, self._port, timeout=SECONDS)
        begin = time.monotonic()
        try:
            self._connection.request(method, "/", b"x" * 200 if method == "POST" else None, {ID: identity})
            answer = self._connection.getresponse()
            body = answer.read().decode()
            if answer.will_close:
                self._drop()
        except (OSError, http.client.HTTPException) as e:
            self._drop()
            return SentRequest(identity, method, begin, time.monotonic(), 0, f"{type(e).__name__}: {e}")
        fault = "" if answer.status != 200 or body.split(" ")[0] == identity else f"the response belongs to {body}"
        return SentRequest(identity, method, begin, time.monotonic(), answer.status, fault)

    def _drop(self):
        self._connection.close()
        self._connection = None


class QueryClient(threading.Thread):
    """Repeatedly queries the addresses of a name."""

    def __init__(self, port, name, pause, stopped):
        super().__init__(daemon=True)
        self.query_count = 0
        self.faults = []
        self._port = port
        self._name = name
        self._pause = pause
        self._stopped = stopped

    def run(self):
        while not self._stopped.wait(self._pause):
            self.query_count += 1
            try:
                addresses(self._port, self._name, self.query_count % 65536)
            except (OSError, dns_wire.Malformed, ValueError) as e:
                self.faults.append(f"{type(e).__name__}: {e}")


def addresses(port, name, number=1):
    """Returns the addresses in the answer; raises ValueError if it answers another query."""
    question = dns_wire.question(name, "A", number)
    answer = dns_wire.parse(dns_client.exchange(port, question))
    if answer.id != number or answer.question != question[12:]:
        raise ValueError(f"the answer belongs to query {answer.id} (expected: {number})")
    if answer.rcode != "NOERROR":
        raise ValueError(f"{answer.rcode} (expected: NOERROR)")
    return {record.data for record in answer.answer}
