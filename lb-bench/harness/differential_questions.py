"""Queries for a generated zone: every name with every type, over every transport."""

from dataclasses import dataclass
from typing import Optional

from harness import dns_wire

# Every type that an authoritative server interprets, except ANY: RFC 8482 allows Ballast's single HINFO and Knot's
# single set, so there is nothing to compare. The last two are unknown types.
_TYPES = [name for name in dns_wire.TYPES if name != "OPT"] + ["TYPE65280", "TYPE1234"]
# EDNS payload sizes; None means a query without EDNS.
_SIZES = (512, 1232, 4096, 100, 65535, None)


@dataclass(frozen=True)
class Question:
    kind: str
    name: str
    type: str
    over_tcp: bool
    edns_size: Optional[int]
    dnssec: bool
    recursion: bool
    edns_version: int = 0

    @property
    def udp_limit(self):
        """Returns the maximum size of a UDP response in bytes: both servers apply the limit that RFC 9715 recommends.
        """
        return min(1232, max(512, self.edns_size or 0))

    def message(self, number):
        return dns_wire.question(
            self.name, self.type, number, self.edns_size, self.dnssec, self.recursion, self.edns_version
        )

    def __str__(self):
        how = ["TCP" if self.over_tcp else "UDP"]
        how += [] if self.edns_size is None else [f"EDNS{self.edns_version or ''} {self.edns_size}"]
        how += ["DO"] if self.dnssec else []
        return f"{self.name} {self.type} ({', '.join(how)})"


def make(zone, random, count):
    """Returns at least `count` queries, and at least one for each name with each type."""
    pairs = [(kind, name, type_) for kind, names in zone.names.items() for name in dict.fromkeys(names) for type_ in _TYPES]
    while len(pairs) < count:
        pairs.append(random.choice(pairs))
    random.shuffle(pairs)
    return [_question(random, kind, name, type_) for kind, name, type_ in pairs]


def _question(random, kind, name, type_):
    size = random.choice(_SIZES)
    return Question(
        kind,
        _mixed(random, name) if random.random() < 0.3 else name,
        type_,
        random.random() < 0.15,
        size,
        size is not None and random.random() < 0.3,
        random.random() < 0.5,
        1 if size is not None and random.random() < 0.02 else 0,
    )


def _mixed(random, name):
    """Returns the name in random case, as resolvers send it; escapes contain no letters."""
    return "".join(letter.upper() if random.random() < 0.5 else letter.lower() for letter in name)
