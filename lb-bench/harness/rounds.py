"""What every comparison does: start who is there, ask each in turn, tell how it goes."""

from harness.samples import Samples
from harness.workplace import Failure, await_true, say


def start(known, names, begin, answers):
    """Starts the peers named, as far as their programs are here.

    `known` maps a name to (how to start it, whether it is here, how to get it); `begin` calls the first of these,
    `answers` tells whether a peer that was started answers. Returns (running, notes about those that are missing).
    """
    running, missing = [], []
    for name in names:
        if name not in known:
            raise Failure(f"--peers: {name} (expected: some of {', '.join(known)})")
        starter, is_here, how_to_get = known[name]
        if not is_here():
            missing.append(f"{name} is missing: {how_to_get}")
            say(missing[-1])
            continue
        say(f"starting {name}")
        peer = begin(starter)
        await_true(lambda: answers(peer), f"{name} to answer", 10, peer.started)
        running.append(peer)
    return running, missing


def run(running, loads, count, measure, unit, first=1):
    """Measures every peer once in each round at each load; `measure` takes (peer, load, round)."""
    samples = Samples()
    for number in range(first, count + 1):
        for load in loads:
            for peer in rotated(running, number - 1):
                sample = measure(peer, load, number)
                # Round 0 warms up.
                if number > 0:
                    _tell(sample, unit)
                    samples.add(sample)
    return samples


def rotated(items, by):
    """Nobody always follows the same neighbour, and nobody always comes first."""
    by %= len(items)
    return items[by:] + items[:by]


def _tell(sample, unit):
    figures = [f"{sample.figures['rate']:,.0f} {unit}"]
    if "cpu" in sample.figures:
        figures.append(f"{sample.figures['cpu']:.1f} µs CPU")
    if "p99" in sample.figures:
        figures.append(f"p99 {sample.figures['p99']:.2f} ms")
    faults = f"  EXCLUDED: {'; '.join(sample.faults)}" if sample.faults else ""
    say(f"round {sample.round}, {sample.load}, {sample.peer}: {', '.join(figures)}{faults}")
