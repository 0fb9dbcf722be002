"""An open loop: our own load generator with a constant rate (io.ballast.bench.load.OpenLoop)."""

import json
import select

from harness import java, measure, ports, wrk
from harness.samples import Sample
from harness.workplace import Failure

CONNECTIONS = 256
# A run that misses the rate by more is invalid.
MIN_REACHED = 0.97
# Additional time for the generator, which itself waits for late responses.
_TIMEOUT_SECONDS = 30


class Generator:
    """The generator's process. It executes all runs, so its compiled code is the same for every peer."""

    def __init__(self, place):
        self.started = place.start("generator", java.command("io.ballast.bench.load.OpenLoop"), talks=True)

    def run(self, port, path, rate, seconds, connections=CONNECTIONS, closes=False, source=ports.LOOPBACK):
        """Returns a wrk.Load of a client at address `source`. A response time starts when the request is due and ends
        with the response."""
        parameters = f"{port} {path} {round(rate)} {seconds} {connections} {'close' if closes else 'keep'} {source}\n"
        self.started.stdin.write(parameters.encode())
        self.started.stdin.flush()
        ready, _, _ = select.select([self.started.stdout], [], [], seconds + _TIMEOUT_SECONDS)
        answer = self.started.stdout.readline() if ready else b""
        if not answer:
            raise Failure(f"the load generator returned no result:\n{self.started.log_tail()}")
        return parse(answer.decode())


def parse(line):
    """Parses the generator's output."""
    try:
        return wrk.load_of(json.loads(line))
    except json.JSONDecodeError:
        raise Failure(f"cannot parse the output of the load generator: {line}") from None


def load_name(share):
    """Returns the name in reports of a run at this share of the reference's maximum."""
    return f"fixed rate, {share:.0%}"


def run(generator, running, scenario, backends, share, rate, seconds, number):
    """One run at a fixed rate, with a comparison of the counters of both sides; returns a sample."""
    watch = measure.CostWatch(running, backends)
    load = generator.run(running.port, scenario.path, rate, seconds, closes=scenario.closes)
    figures, count_faults = watch.end(load, in_flight=0)
    figures |= {"rate": load.rate, "late": load.late_p99}
    return Sample(running.name, load_name(share), number, figures, faults(load, rate) + count_faults)


def faults(load, rate):
    """Returns what makes the run invalid from the client's view."""
    found = measure.client_faults(load)
    if load.rate < rate * MIN_REACHED:
        found.append(f"reached {load.rate:,.0f} of {rate:,.0f} requests/s")
    return found


def warm_up(generator, running, scenario, rate, seconds):
    """Warms up the generator's own code and the balancer."""
    for peer in running:
        generator.run(peer.port, scenario.path, rate, seconds, closes=scenario.closes)
