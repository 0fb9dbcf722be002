"""An open loop: our own load generator, which keeps its rate whatever the balancer does (io.ballast.bench.load.OpenLoop)."""

import json
import select

from harness import java, measure, wrk
from harness.samples import Sample
from harness.workplace import Failure

CONNECTIONS = 256
# A run that missed the rate by more than this measured another rate.
REACHED_AT_LEAST = 0.97
# What the generator waits for late answers, and we for the generator.
_PATIENCE_SECONDS = 30


class Generator:
    """The generator's process. It serves all runs: compiled code is the same for every peer."""

    def __init__(self, place):
        self.started = place.start("generator", java.command("io.ballast.bench.load.OpenLoop"), talks=True)

    def run(self, port, path, rate, seconds, connections=CONNECTIONS, closes=False):
        """Returns a wrk.Load. A time runs from when the request was due to the end of its answer."""
        order = f"{port} {path} {round(rate)} {seconds} {connections} {'close' if closes else 'keep'}\n"
        self.started.stdin.write(order.encode())
        self.started.stdin.flush()
        ready, _, _ = select.select([self.started.stdout], [], [], seconds + _PATIENCE_SECONDS)
        answer = self.started.stdout.readline() if ready else b""
        if not answer:
            raise Failure(f"the load generator gave no answer:\n{self.started.last_words()}")
        return parse(answer.decode())


def parse(line):
    """Reads the generator's answer."""
    try:
        return wrk.load_of(json.loads(line))
    except json.JSONDecodeError:
        raise Failure(f"the load generator printed something else than expected: {line}") from None


def load_name(share):
    """What a run at this share of the reference's most requests is called in a report."""
    return f"fixed rate, {share:.0%}"


def run(generator, running, scenario, backends, share, rate, seconds, number):
    """One run at a fixed rate, with the counts of both sides compared; returns a sample."""
    watch = measure.Watch(running, backends)
    load = generator.run(running.port, scenario.path, rate, seconds, closes=scenario.closes)
    figures, count_faults = watch.end(load, in_flight=0)
    figures |= {"rate": load.rate, "late": load.late_p99}
    return Sample(running.name, load_name(share), number, figures, faults(load, rate) + count_faults)


def faults(load, rate):
    """What makes the run no result, as far as the client can tell."""
    found = measure.client_faults(load)
    if load.rate < rate * REACHED_AT_LEAST:
        found.append(f"reached {load.rate:,.0f} of {rate:,.0f} requests/s")
    return found


def warm_up(generator, running, scenario, rate, seconds):
    """Lets the generator's own code be compiled, and the balancer get used to its rhythm."""
    for peer in running:
        generator.run(peer.port, scenario.path, rate, seconds, closes=scenario.closes)
