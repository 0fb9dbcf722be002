"""The clients of a chaos run: requests that carry an id each, and questions about the pool's name."""

import http.client
import random
import threading
import time
from dataclasses import dataclass

from harness import dns_client, dns_wire, ports

ID = "X-Chaos-Id"
SECONDS = 20.0


@dataclass(frozen=True)
class Sent:
    """One request as its client saw it; times are those of the machine's monotonic clock, in seconds."""

    id: str
    method: str
    begin: float
    end: float
    # 0 if there was no whole answer.
    status: int
    # What came back instead of what was expected; empty if all is well.
    fault: str = ""


class Client(threading.Thread):
    """Sends one request after the other over one connection, at a rate, until it is stopped."""

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
            self.sent.append(self._ask(f"{self._number}-{len(self.sent)}"))
            due = max(due + self._pause, time.monotonic() - 1)
            self._stopped.wait(max(0.0, due - time.monotonic()))
        if self._connection is not None:
            self._connection.close()

    def _ask(self, identity):
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
            return Sent(identity, method, begin, time.monotonic(), 0, f"{type(e).__name__}: {e}")
        fault = "" if answer.status != 200 or body.split(" ")[0] == identity else f"the answer is that of {body}"
        return Sent(identity, method, begin, time.monotonic(), answer.status, fault)

    def _drop(self):
        self._connection.close()
        self._connection = None


class Asker(threading.Thread):
    """Asks for the addresses of a name again and again."""

    def __init__(self, port, name, pause, stopped):
        super().__init__(daemon=True)
        self.asked = 0
        self.faults = []
        self._port = port
        self._name = name
        self._pause = pause
        self._stopped = stopped

    def run(self):
        while not self._stopped.wait(self._pause):
            self.asked += 1
            try:
                addresses(self._port, self._name, self.asked % 65536)
            except (OSError, dns_wire.Malformed, ValueError) as e:
                self.faults.append(f"{type(e).__name__}: {e}")


def addresses(port, name, number=1):
    """The addresses in the answer; raises ValueError if that is not the answer to this question."""
    question = dns_wire.question(name, "A", number)
    answer = dns_wire.parse(dns_client.ask(port, question))
    if answer.id != number or answer.question != question[12:]:
        raise ValueError(f"the answer is that of question {answer.id} (expected: {number})")
    if answer.rcode != "NOERROR":
        raise ValueError(f"{answer.rcode} (expected: NOERROR)")
    return {record.data for record in answer.answer}
