"""The case "keys" of lb-bench/overload: a limit whose key is a header, with 100,000 different values and more."""

import re
import socket
import statistics
from dataclasses import dataclass

from harness import ports, procfs, wrk
from harness.workplace import Failure, say

# The policy's maximum number of keys. Its table may hold up to four times as many entries.
KEYS = 100_000
_FEW = 100
_ENTRIES_PER_KEY = 4
# Key and one counter.
_ENTRY_BYTES = 16
_ROUNDS, _SECONDS = 5, 3
_CONNECTIONS = 64
# Requests that are sent at once, on a connection of their own.
_BATCH = 500
_TIMEOUT_SECONDS = 30
_STATUS = re.compile(rb"HTTP/1\.1 ([0-9]{3}) ")
# Allowed heap growth in addition to the entries: counters, buffers of connections, compiled code.
_OTHER_BYTES = 8 << 20
_MAX_COST_RATIO = 1.25
# The table is set-associative: a set may be full although other sets have free entries. This share of keys may be
# affected.
_MAX_UNLUCKY = 0.001


@dataclass(frozen=True)
class Step:
    """The requests with a range of keys. `refused` counts the responses other than 200."""

    requests: int
    refused: int
    broken: int
    cpu_micros: float


def check(bar, running, port):
    """Tests both values of `on_full`; calls `bar` with the case, the figure, its value, its limit and whether it is met."""
    say("many keys")
    _load(running, port, _FEW, seconds=10)
    heap = running.heap_after_collection()
    _check_allow(bar, running, port)
    _check_refuse(bar, port)
    _check_heap(bar, running, heap)


def _check_allow(bar, running, port):
    case = "on_full: allow"
    first = _fill(port, "/allow", 0, KEYS)
    few, many = [], []
    for _ in range(_ROUNDS):
        few.append(_load(running, port, _FEW))
        many.append(_load(running, port, KEYS))
    second = _fill(port, "/allow", KEYS, KEYS)
    above = _fill(port, "/allow", 2 * KEYS, (_ENTRIES_PER_KEY + 1) * KEYS)
    steps = (first, *few, *many, second, above)
    refused, broken = sum(step.refused for step in steps), sum(step.broken for step in steps)
    sent = sum(step.requests for step in steps)
    bar(case, f"refused requests of {sent:,} with {(_ENTRIES_PER_KEY + 3) * KEYS:,} keys", refused, "0", refused == 0)
    bar(case, "connection errors", broken, "0", broken == 0)
    cost, reference = (statistics.median(step.cpu_micros for step in found) for found in (many, few))
    measured = f"{cost:.1f} µs, with {_FEW} keys {reference:.1f} µs"
    bar(case, f"CPU of a request, {KEYS:,} keys", measured, f"≤ {_MAX_COST_RATIO} ×", cost <= reference * _MAX_COST_RATIO)


def _check_refuse(bar, port):
    case = "on_full: refuse"
    first = _fill(port, "/refuse", 0, KEYS)
    unlucky = round(KEYS * _MAX_UNLUCKY)
    bar(case, f"refused of the first {KEYS:,} keys", first.refused, f"≤ {unlucky}", first.refused <= unlucky)
    second = _fill(port, "/refuse", KEYS, KEYS)
    measured = f"{second.refused:,}, the others have found a place"
    bar(case, f"refused of {KEYS:,} more", measured, f"< {KEYS:,}", second.refused < KEYS)
    count = (_ENTRIES_PER_KEY + 1) * KEYS
    above = _fill(port, "/refuse", 2 * KEYS, count)
    admitted = first.requests + second.requests + above.requests
    most = _ENTRIES_PER_KEY * KEYS
    bar(case, f"admitted of {count + 2 * KEYS:,} keys", f"{admitted:,}", f"{KEYS:,} to {most:,}", KEYS <= admitted <= most)
    again = _fill(port, "/refuse", 0, KEYS)
    same = again.refused == first.refused
    bar(case, "refused of the first keys afterwards", again.refused, f"{first.refused}, as before", same)


def _check_heap(bar, running, before):
    if before is None:
        say("this Java has no jcmd, so the heap is not measured")
        return
    after = running.heap_after_collection()
    # Both policies.
    most = 2 * _ENTRIES_PER_KEY * KEYS * _ENTRY_BYTES + _OTHER_BYTES
    grown = after - before
    bar("both", "growth of the heap", f"{grown / 2**20:.1f} MiB", f"≤ {most / 2**20:.1f} MiB", grown <= most)


def _load(running, port, count, seconds=_SECONDS):
    """Sends requests with this number of keys in a closed loop."""
    before = procfs.cpu_seconds(running.started.pid)
    url = f"http://{ports.LOOPBACK}:{port}/allow"
    load = wrk.run(url, _CONNECTIONS, seconds, script="keys.lua", arguments=(count,))
    used = procfs.cpu_seconds(running.started.pid) - before
    refused = load.errors["status"]
    return Step(load.requests, refused, load.failed - refused, used * 1e6 / max(1, load.requests + refused))


def _fill(port, path, first, count):
    """Sends one request for each key."""
    say(f"{path}: keys {first:,} to {first + count - 1:,}")
    passed = 0
    for start in range(first, first + count, _BATCH):
        passed += _send(port, path, range(start, min(start + _BATCH, first + count)))
    return Step(passed, count - passed, 0, 0)


def _send(port, path, keys):
    """Sends a request for each key without waiting, and returns the number of responses with 200."""
    requests = "".join(f"GET {path} HTTP/1.1\r\nHost: a\r\nX-Key: key-{key}\r\n\r\n" for key in keys)
    received = b""
    with socket.create_connection((ports.LOOPBACK, port), timeout=_TIMEOUT_SECONDS) as connection:
        connection.sendall(requests.encode())
        while len(_STATUS.findall(received)) < len(keys):
            part = connection.recv(65536)
            if not part:
                raise Failure(f"the connection ended after {len(_STATUS.findall(received))} of {len(keys)} responses")
            received += part
    return _STATUS.findall(received).count(b"200")
