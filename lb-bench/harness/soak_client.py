"""A client of a DNS soak: sends queries at a rate and checks every answer. A program that prints its results as JSON.
"""

import argparse
import collections
import itertools
import json
import random
import selectors
import socket
import struct
import sys
import time

from harness import soak_names

_HEADER = struct.Struct(">6H")
_RECURSION_DESIRED = 0x0100
_A, _AAAA = 1, 28
_SOCKETS = 16
_TIMEOUT_SECONDS = 5
_RECEIVE_BYTES = 1 << 21
_MAX_FAULTS = 20
# The send interval: everything that is due is sent at once.
_TURN_SECONDS = 0.002
STALE_TTL = 30


def names(kind, count, run, draw):
    """Yields names endlessly: of `count` names uniformly, with a Zipf distribution, or unique ones."""
    if kind == "unique":
        return (soak_names.unique(run, number) for number in itertools.count())
    if kind == "uniform":
        return (soak_names.known(draw.randrange(count)) for _ in itertools.repeat(None))
    # Approximates Zipf's law: the logarithm of the rank is uniformly distributed.
    return (soak_names.known(int(count ** draw.random()) - 1) for _ in itertools.repeat(None))


class PendingQuery:
    """A query without an answer yet."""

    __slots__ = ("question", "name", "type", "at")

    def __init__(self, question, name, type_, at):
        self.question, self.name, self.type, self.at = question, name, type_, at


def fault(query, wire):
    """Returns (outcome, the fault of an answer or an empty text). Outcomes: answered, refused, failed."""
    _, flags, questions, answers, _, _ = _HEADER.unpack_from(wire)
    if not flags & 0x8000 or questions != 1 or wire[12 : 12 + len(query.question)] != query.question:
        return "answered", "not the question of the query"
    truth, code = soak_names.truth(query.name, query.type), flags & 15
    if code == 5:
        return "refused", ""
    if code == 2:
        return "failed", ""
    if truth.kind == soak_names.MISSING:
        return "answered", "" if code == 3 and not answers else f"code {code} with {answers} records for a name that does not exist"
    if truth.kind != soak_names.EXISTS:
        return "answered", f"code {code} for a name that must fail"
    if code or answers != 1:
        return "answered", f"code {code} with {answers} records"
    at = 12 + len(query.question)
    _, type_, _, ttl, length = struct.unpack_from(">HHHIH", wire, at)
    data = wire[at + 12 : at + 12 + length]
    if type_ != query.type or data != truth.data:
        return "answered", f"data {data.hex()} (expected: {truth.data.hex()})"
    if ttl > max(truth.ttl, STALE_TTL):
        return "answered", f"TTL {ttl} (expected: at most {truth.ttl})"
    return "answered", ""


class PacedClient:
    """Sends queries at a rate from several sockets, each with an id that is unique among the pending ones of its
    socket."""

    def __init__(self, port, draw):
        self._draw = draw
        self._selector = selectors.DefaultSelector()
        self._sockets = []
        for _ in range(_SOCKETS):
            opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BYTES)
            opened.connect(("127.0.0.1", port))
            opened.setblocking(False)
            waiting = {}
            self._sockets.append((opened, waiting))
            self._selector.register(opened, selectors.EVENT_READ, waiting)
        self.sent = 0
        self.outcomes = collections.Counter()
        self.times = []
        self.faults = []

    def run(self, offered, rate, seconds):
        begin = time.monotonic()
        end = begin + seconds
        while (now := time.monotonic()) < end:
            while self.sent < (now - begin) * rate:
                self._send(next(offered), now)
            self._receive(_TURN_SECONDS)
            self._sweep(now)
        end = time.monotonic() + _TIMEOUT_SECONDS
        while time.monotonic() < end and any(waiting for _, waiting in self._sockets):
            self._receive(_TURN_SECONDS)
        self._sweep(float("inf"))

    def _send(self, name, now):
        opened, waiting = self._sockets[self.sent % _SOCKETS]
        number = self._draw.randrange(65536)
        while number in waiting:
            number = self._draw.randrange(65536)
        type_ = _AAAA if self._draw.random() < 0.5 else _A
        question = soak_names.random_case(name, self._draw.getrandbits(32)) + struct.pack(">HH", type_, 1)
        waiting[number] = PendingQuery(question, name, type_, now)
        self.sent += 1
        try:
            opened.send(_HEADER.pack(number, _RECURSION_DESIRED, 1, 0, 0, 0) + question)
        except BlockingIOError:
            pass  # treated as lost

    def _receive(self, timeout):
        for key, _ in self._selector.select(timeout):
            try:
                while True:
                    self._take(key.data, key.fileobj.recv(4096))
            except (BlockingIOError, ConnectionRefusedError):
                pass

    def _take(self, waiting, wire):
        now = time.monotonic()
        query = waiting.pop(int.from_bytes(wire[:2], "big"), None)
        if query is None:
            self.outcomes["unasked"] += 1
            self._note("an answer to no pending query")
            return
        outcome, wrong = fault(query, wire)
        self.outcomes[outcome] += 1
        self.times.append(now - query.at)
        if wrong:
            self.outcomes["wrong"] += 1
            self._note(f"{query.name}: {wrong}")

    def _note(self, text):
        if len(self.faults) < _MAX_FAULTS:
            self.faults.append(text)

    def _sweep(self, now):
        """Gives up queries after the timeout. Each dictionary is in order of time."""
        for _, waiting in self._sockets:
            while waiting:
                number = next(iter(waiting))
                if now - waiting[number].at < _TIMEOUT_SECONDS:
                    break
                del waiting[number]
                self.outcomes["lost"] += 1

    def summary(self):
        times = sorted(self.times)

        def share(part):
            return times[min(len(times) - 1, int(part * len(times)))] * 1000 if times else 0.0

        return {
            "sent": self.sent,
            "outcomes": self.outcomes,
            "p50_ms": share(0.5),
            "p99_ms": share(0.99),
            "p99_9_ms": share(0.999),
            "max_ms": share(1),
            "faults": self.faults,
        }


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="soak_client")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--kind", choices=("zipf", "uniform", "unique"), required=True)
    parser.add_argument("--names", type=int, required=True)
    parser.add_argument("--rate", type=float, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    options = parser.parse_args(arguments)
    draw = random.Random(options.seed)
    client = PacedClient(options.port, draw)
    client.run(names(options.kind, options.names, b"%d" % options.seed, draw), options.rate, options.seconds)
    json.dump(client.summary(), sys.stdout)


if __name__ == "__main__":
    main()
