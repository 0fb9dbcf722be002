"""One run against one balancer: load, CPU, memory, and whether everybody counted the same."""

import time

from harness import ports, procfs, wrk
from harness.samples import Sample

# For what is on its way when the load tool leaves to arrive, or to be given up.
_SETTLE_SECONDS = 0.3


def closed_loop(running, scenario, backends, connections, seconds, number):
    """Runs wrk and returns a sample."""
    before = _Counts(running, backends)
    cpu = procfs.cpu_seconds(running.started.pid)
    load = wrk.run(url(running, scenario), connections, seconds)
    memory = procfs.memory_bytes(running.started.pid)
    time.sleep(_SETTLE_SECONDS)
    cpu = procfs.cpu_seconds(running.started.pid) - cpu
    running.started.require_running()
    figures = {
        "rate": scenario.rate(load),
        "cpu": cpu / max(1, load.requests) * 1e6,
        "p50": load.p50,
        "p99": load.p99,
        "p99_9": load.p99_9,
        "max": load.max,
        "rss": memory / 1e6,
        "requests": load.requests,
    }
    faults = client_faults(load) + before.faults(load, connections)
    return Sample(running.name, f"{connections} connections", number, figures, faults)


def url(running, scenario):
    return f"http://{ports.LOOPBACK}:{running.port}{scenario.path}"


def client_faults(load):
    faults = [f"{count} {kind} errors" for kind, count in load.errors.items() if count]
    return faults if load.requests else [*faults, "no request was answered"]


def count_fault(who, counted, answered, connections):
    """Everybody on the way saw at least what the client got, and at most what it did not wait for besides."""
    if answered <= counted <= answered + connections:
        return []
    return [f"the client got {answered} answers, {who} counted {counted}"]


class _Counts:
    """What backends and balancer had counted when this was made."""

    def __init__(self, running, backends):
        self._running = running
        self._backends = backends
        self._served = [backend.served() for backend in backends]
        self._balancer = running.served() if running.served else None

    def faults(self, load, connections):
        faults = []
        if self._backends:
            served = sum(b.served() for b in self._backends) - sum(self._served)
            faults += count_fault("the backends", served, load.requests, connections)
        if self._balancer is not None:
            sent = self._running.served() - self._balancer
            faults += count_fault(self._running.name, sent, load.requests, connections)
        return faults
