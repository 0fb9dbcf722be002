"""What single runs yielded, and what many of them say together."""

from dataclasses import dataclass, field
from statistics import median


@dataclass(frozen=True)
class Sample:
    """One run: figures by name, and what was wrong with it. A run with faults counts for nothing."""

    peer: str
    load: str
    round: int
    figures: dict
    faults: list = field(default_factory=list)


@dataclass(frozen=True)
class Spread:
    """The median of some values, and how far they lie apart."""

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
        """Runs without faults, by round."""
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
        """Ours divided by theirs, round by round: what disturbs a round disturbs both."""
        mine, other = self.good(ours, load), self.good(theirs, load)
        return spread(
            mine[number].figures[figure] / other[number].figures[figure]
            for number in mine.keys() & other.keys()
            if figure in mine[number].figures and other[number].figures.get(figure)
        )
