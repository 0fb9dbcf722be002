"""How good Ballast has to be: beside a peer, or by itself."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Bar:
    """Ballast's figure divided by the peer's, in one round: at least or at most `bar`; `aim` is where we want to be."""

    peer: str
    figure: str
    bar: float
    aim: float
    # The one load that it is for; all if empty.
    load: str = ""

    @property
    def is_floor(self):
        """Whether more is better: so it is for rates, and for nothing else."""
        return self.figure == "rate"

    def is_for(self, peer, figure, load):
        return self.peer == peer and self.figure == figure and self.load in ("", load)

    def beside(self, peer):
        """The same bar beside another peer."""
        return replace(self, peer=peer)

    def is_met(self, ratio):
        return ratio >= self.bar if self.is_floor else ratio <= self.bar

    def __str__(self):
        return f"{'≥' if self.is_floor else '≤'} {self.bar:.2f}"


@dataclass(frozen=True)
class Ceiling:
    """A figure of Ballast's own that may not be higher; `label` names it with its unit."""

    figure: str
    most: float
    aim: float
    label: str

    def is_met(self, value):
        return value <= self.most

    def __str__(self):
        return f"≤ {self.most:g}"
