"""One run against one balancer: load, CPU, memory, and a comparison of all counters."""

import time

from harness import ports, procfs, wrk
from harness.samples import Sample

# Ballast's dashboard reads the counters of the event loops with a short delay.
_COUNTERS_SECONDS = 0.3
_LOOK_SECONDS = 0.1
# Limit of polls until the last requests have arrived or were aborted after the load tool has exited.
_MAX_POLLS = 50


def closed_loop(running, scenario, backends, connections, seconds, number):
    """Runs wrk and returns a sample."""
    watch = CostWatch(running, backends, scenario.reaches_backends)
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
    """Every hop must count at least the responses that the client got, and at most those plus the requests in flight.
    """
    if answered <= counted <= answered + in_flight:
        return []
    return [f"the client got {answered} responses, {who} counted {counted}"]


def settled(backends):
    """Returns how many requests the backends served, once the number is stable."""
    served, before, looks = sum(b.served() for b in backends), None, 0
    while served != before and looks < _MAX_POLLS:
        time.sleep(_LOOK_SECONDS)
        served, before, looks = sum(b.served() for b in backends), served, looks + 1
    return served


class CostWatch:
    """Measures cost and counters of a balancer from construction to `end`."""

    def __init__(self, running, backends, reaches_backends=True):
        self._running = running
        self._backends = backends
        self._reaches_backends = reaches_backends
        self._served = settled(backends)
        self._balancer = running.served() if running.served else None
        self._cpu = procfs.cpu_seconds(running.started.pid)

    def end(self, load, in_flight):
        """Returns (figures, faults) of the load; `in_flight` requests may have been pending at its end."""
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
        if not self._reaches_backends:
            few = served <= in_flight
            return [] if few else [f"the backends served {served} requests (expected: none, the balancer has the responses)"]
        faults = []
        if self._backends:
            faults += count_fault("the backends", served, load.requests, in_flight)
        if self._balancer is not None:
            sent = self._running.served() - self._balancer
            faults += count_fault(self._running.name, sent, load.requests, in_flight)
        return faults
