"""One run against one balancer: load, CPU, memory, and whether everybody counted the same."""

import time

from harness import ports, procfs, wrk
from harness.samples import Sample

# Ballast reads the counters of its event loops a moment later.
_COUNTERS_SECONDS = 0.3
_LOOK_SECONDS = 0.1
# For what is on its way when the load tool leaves to arrive, or to be given up.
_MOST_LOOKS = 50


def closed_loop(running, scenario, backends, connections, seconds, number):
    """Runs wrk and returns a sample."""
    watch = Watch(running, backends)
    load = wrk.run(url(running, scenario), connections, seconds, headers=scenario.headers)
    figures, count_faults = watch.end(load, in_flight=connections)
    figures["rate"] = scenario.rate(load)
    return Sample(running.name, f"{connections} connections", number, figures, client_faults(load) + count_faults)


def url(running, scenario):
    return f"http://{ports.LOOPBACK}:{running.port}{scenario.path}"


def client_faults(load):
    faults = [f"{count} {kind} errors" for kind, count in load.errors.items() if count]
    return faults if load.requests else [*faults, "no request was answered"]


def count_fault(who, counted, answered, in_flight):
    """Everybody on the way saw at least what the client got, and at most what it did not wait for besides."""
    if answered <= counted <= answered + in_flight:
        return []
    return [f"the client got {answered} answers, {who} counted {counted}"]


def settled(backends):
    """Returns how many requests the backends served, once that has stopped growing."""
    served, before, looks = sum(b.served() for b in backends), None, 0
    while served != before and looks < _MOST_LOOKS:
        time.sleep(_LOOK_SECONDS)
        served, before, looks = sum(b.served() for b in backends), served, looks + 1
    return served


class Watch:
    """What a balancer costs and counts from when this is made until `end`."""

    def __init__(self, running, backends):
        self._running = running
        self._backends = backends
        self._served = settled(backends)
        self._balancer = running.served() if running.served else None
        self._cpu = procfs.cpu_seconds(running.started.pid)

    def end(self, load, in_flight):
        """Returns (figures, faults) of the load that ran; `in_flight` requests may have been on their way at its end."""
        memory = procfs.memory_bytes(self._running.started.pid)
        served = settled(self._backends) - self._served
        time.sleep(_COUNTERS_SECONDS)
        cpu = procfs.cpu_seconds(self._running.started.pid) - self._cpu
        self._running.started.require_running()
        figures = {
            "cpu": cpu / max(1, load.requests) * 1e6,
            "p50": load.p50,
            "p99": load.p99,
            "p99_9": load.p99_9,
            "max": load.max,
            "rss": memory / 1e6,
            "requests": load.requests,
        }
        return figures, self._count_faults(served, load, in_flight)

    def _count_faults(self, served, load, in_flight):
        faults = []
        if self._backends:
            faults += count_fault("the backends", served, load.requests, in_flight)
        if self._balancer is not None:
            sent = self._running.served() - self._balancer
            faults += count_fault(self._running.name, sent, load.requests, in_flight)
        return faults
