"""The figures of single runs, and their aggregates."""

from dataclasses import dataclass, field
from statistics import median


@dataclass(frozen=True)
class Sample:
    """One run: figures by name, and its faults. A run with faults is not used."""

    peer: str
    load: str
    round: int
    figures: dict
    faults: list = field(default_factory=list)


@dataclass(frozen=True)
class Spread:
    """The median, minimum and maximum of some values."""

    middle: float
    low: float
    high: float
    count: int


def spread(values):
    values = list(values)
    return Spread(median(values), min(values), max(values), len(values)) if values else None


class Samples:
    """All runs of a comparison."""

    def __init__(self):
        self._all = []

    def add(self, sample):
        self._all.append(sample)

    def __iter__(self):
        return iter(self._all)

    def good(self, peer, load):
        """Returns the runs without faults, by round."""
        return {s.round: s for s in self._all if s.peer == peer and s.load == load and not s.faults}

    def faulty(self):
        return [sample for sample in self._all if sample.faults]

    def peers(self):
        return list(dict.fromkeys(sample.peer for sample in self._all))

    def loads(self):
        return list(dict.fromkeys(sample.load for sample in self._all))

    def spread(self, peer, load, figure):
        return spread(s.figures[figure] for s in self.good(peer, load).values() if figure in s.figures)

    def ratio(self, ours, theirs, load, figure):
        """Returns our figure divided by theirs, per round, because a disturbance affects both figures of a round."""
        own, other = self.good(ours, load), self.good(theirs, load)
        return spread(
            own[number].figures[figure] / other[number].figures[figure]
            for number in own.keys() & other.keys()
            if figure in own[number].figures and other[number].figures.get(figure)
        )
