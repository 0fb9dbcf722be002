"""The common part of all comparisons: start the peers, measure each in turn, report progress."""

from harness.samples import Samples
from harness.workplace import Failure, await_true, say


def start(known, names, begin, answers):
    """Starts the named peers whose programs are installed.

    `known` maps a name to (start function, availability check, how to install); `begin` calls the start function,
    `answers` returns whether a started peer responds. Returns (running, notes about the missing ones).
    """
    running, missing = [], []
    for name in names:
        if name not in known:
            raise Failure(f"--peers: {name} (expected: some of {', '.join(known)})")
        starter, is_installed, how_to_get = known[name]
        if not is_installed():
            missing.append(f"{name} is missing: {how_to_get}")
            say(missing[-1])
            continue
        say(f"starting {name}")
        peer = begin(starter)
        await_true(lambda: answers(peer), f"{name} to answer", 10, peer.started)
        running.append(peer)
    return running, missing


def run(running, loads, count, measure, unit, first=1):
    """Measures every peer once per round at each load; `measure` takes (peer, load, round)."""
    samples = Samples()
    for number in range(first, count + 1):
        for load in loads:
            for peer in rotated(running, number - 1):
                sample = measure(peer, load, number)
                # Round 0 is the warm-up.
                if number > 0:
                    _print_sample(sample, unit)
                    samples.add(sample)
    return samples


def rotated(items, by):
    """Rotates the order, so that no peer always comes first or always follows the same one."""
    by %= len(items)
    return items[by:] + items[:by]


def _print_sample(sample, unit):
    figures = [f"{sample.figures['rate']:,.0f} {unit}"]
    if "cpu" in sample.figures:
        figures.append(f"{sample.figures['cpu']:.1f} µs CPU")
    if "p99" in sample.figures:
        figures.append(f"p99 {sample.figures['p99']:.2f} ms")
    faults = f"  EXCLUDED: {'; '.join(sample.faults)}" if sample.faults else ""
    say(f"round {sample.round}, {sample.load}, {sample.peer}: {', '.join(figures)}{faults}")
