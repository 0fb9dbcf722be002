"""The limits ("bars") that Ballast's figures must meet: relative to a peer, or absolute."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Bar:
    """A limit for Ballast's figure divided by the peer's in the same round: at least or at most `bar`; `aim` is the
    goal."""

    peer: str
    figure: str
    bar: float
    aim: float
    # The only load to which the limit applies; all loads if empty.
    load: str = ""

    @property
    def is_floor(self):
        """Returns whether higher is better, which holds only for rates."""
        return self.figure == "rate"

    def is_for(self, peer, figure, load):
        return self.peer == peer and self.figure == figure and self.load in ("", load)

    def against(self, peer):
        """Returns the same limit for another peer."""
        return replace(self, peer=peer)

    def is_met(self, ratio):
        return ratio >= self.bar if self.is_floor else ratio <= self.bar

    def __str__(self):
        return f"{'≥' if self.is_floor else '≤'} {self.bar:.2f}"


@dataclass(frozen=True)
class Ceiling:
    """A maximum for a figure of Ballast; `label` is its name with the unit."""

    figure: str
    most: float
    aim: float
    label: str

    def is_met(self, value):
        return value <= self.most

    def __str__(self):
        return f"≤ {self.most:g}"
