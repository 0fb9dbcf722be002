"""Response times at a fixed rate: half of what the reference peer can do at most."""

from harness import h2load, measure
from harness.samples import Sample

LOAD = "fixed rate"
# A run that missed the rate by more than this measured another rate.
_REACHED_AT_LEAST = 0.97


def run(place, running, scenario, rate, seconds, number):
    result = h2load.run(measure.url(running, scenario), rate, seconds, place.directory / "h2load.log")
    figures = {
        "rate": result.reached,
        "p50": result.p50,
        "p99": result.p99,
        "max": result.max,
        "requests": result.reached * seconds,
    }
    return Sample(running.name, LOAD, number, figures, faults(result))


def faults(result):
    found = [f"{result.failed} requests failed"] if result.failed else []
    if result.reached < result.asked * _REACHED_AT_LEAST:
        found.append(f"reached {result.reached:,.0f} of {result.asked:,.0f} requests/s")
    return found
