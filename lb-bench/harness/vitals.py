"""Samples the memory, files and threads of a process over a long time, and checks whether they grow."""

import threading
import time
from dataclasses import dataclass

from harness import procfs

# Earlier samples are warm-up: pools fill and the JIT compiles.
_SETTLED_FROM = 0.2


@dataclass(frozen=True)
class Vital:
    """One figure, and its allowed growth in a run: a share of its mean or an absolute value, whichever is more."""

    name: str
    unit: float
    share: float
    least: float

    def allowed(self, mean):
        return max(self.share * mean, self.least)


VITALS = (
    Vital("RSS MB", 1e6, 0.05, 8e6),
    Vital("direct MB", 1e6, 0.05, 4e6),
    # The number of open connections to backends varies during a run.
    Vital("fds", 1, 0.25, 32),
    Vital("threads", 1, 0, 1),
)


class VitalsSampler(threading.Thread):
    """Samples a running Ballast until it is stopped."""

    def __init__(self, running, every):
        super().__init__(daemon=True)
        # (seconds since the start, one value for each of VITALS)
        self.samples = []
        self._running = running
        self._every = every
        self._stopped = threading.Event()

    def run(self):
        begin = time.monotonic()
        while not self._stopped.wait(self._every):
            stats = self._running.stats()
            if stats is not None:
                self.samples.append((time.monotonic() - begin, look(self._running.started.pid, stats["process"])))

    def stop(self):
        self._stopped.set()
        self.join()


def look(pid, process):
    """Returns the values of VITALS, from the system and from Ballast's own statistics."""
    return procfs.memory_bytes(pid), process["direct_bytes"], procfs.open_files(pid), process["threads"]


def settled(samples):
    """Returns the samples without the warm-up."""
    return samples[int(len(samples) * _SETTLED_FROM) :]


def growth(points):
    """Returns how much the least squares line through points (time, value) rises from the first to the last."""
    times, values = [time for time, _ in points], [value for _, value in points]
    mean_time, mean = sum(times) / len(times), sum(values) / len(values)
    spread = sum((time - mean_time) ** 2 for time in times)
    if not spread:
        return 0.0
    slope = sum((time - mean_time) * (value - mean) for time, value in points) / spread
    return slope * (times[-1] - times[0])


def evaluate(samples):
    """Returns rows of (name, first, last, highest, growth, allowed growth, whether it is flat), in the vital's unit."""
    rows = []
    for index, vital in enumerate(VITALS):
        points = [(time, values[index]) for time, values in settled(samples)]
        values = [value for _, value in points]
        rise, allowed = growth(points), vital.allowed(sum(values) / len(values))
        figures = (values[0], values[-1], max(values), rise, allowed)
        rows.append((vital.name, *(figure / vital.unit for figure in figures), rise <= allowed))
    return rows
