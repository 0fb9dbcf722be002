"""A zone with all features that authoritative servers may handle differently, and the names to query in it."""

from dataclasses import dataclass

from harness.dns_scenarios import ZONE

# Record types other than addresses and names, which are generated below.
_DATA = {
    "A": lambda r: f"192.0.2.{r.randrange(256)}",
    "AAAA": lambda r: f"2001:db8::{r.randrange(1 << 16):x}:{r.randrange(1 << 16):x}",
    "TXT": lambda r: " ".join(f'"{"x" * r.choice((0, 1, 40, 250))}{r.randrange(100)}"' for _ in range(r.randint(1, 3))),
    "MX": lambda r: f"{r.randrange(100)} host{r.randrange(20)}",
    "SRV": lambda r: f"{r.randrange(10)} {r.randrange(10)} {r.randrange(1, 65536)} host{r.randrange(20)}",
    "CAA": lambda r: f'0 issue "ca{r.randrange(100)}.example"',
    "PTR": lambda r: f"host{r.randrange(20)}",
    "NAPTR": lambda r: f'{r.randrange(100)} 10 "u" "E2U+sip" "!^.*$!sip:a{r.randrange(100)}@b.example!" .',
    "HTTPS": lambda r: f"{r.randint(1, 9)} . alpn=h2 port={r.randrange(1, 65536)}",
    "SVCB": lambda r: f"{r.randint(1, 9)} host{r.randrange(20)}.{ZONE}. ipv4hint=192.0.2.{r.randrange(256)}",
    "TLSA": lambda r: f"3 1 1 {r.randrange(1 << 256):064x}",
    "HINFO": lambda r: f'"cpu{r.randrange(100)}" "os"',
    "TYPE65280": lambda r: f"\\# 4 {r.randrange(1 << 32):08x}",
}
_TTLS = (0, 1, 30, 300, 3600, 86400, 604800)


@dataclass(frozen=True)
class Zone:
    """`text` is the zone file; `names` maps a kind of name to the names of that kind, fully qualified without the final
    dot."""

    text: str
    names: dict


def make(random):
    """Creates the zone; deterministic for the state of `random`."""
    maker = _Maker(random)
    for feature in (_apex, _hosts, _deep, _wildcards, _delegations, _aliases, _dnames, _big, _odd_labels, _outside):
        feature(maker)
    return Zone(maker.text(), maker.names)


class _Maker:
    def __init__(self, random):
        self.random = random
        self.names = {}
        self._lines = []
        self._ttls = {}

    def add(self, owner, type_, *data):
        """Adds the records of one set, all with the same TTL."""
        ttl = self._ttls.setdefault((owner.lower(), type_), self.random.choice(_TTLS))
        self._lines += [f"{owner} {ttl} {type_} {each}" for each in dict.fromkeys(data)]

    def some(self, owner, types, most=4):
        for type_ in types:
            self.add(owner, type_, *(_DATA[type_](self.random) for _ in range(self.random.randint(1, most))))

    def add_questions(self, kind, *labels):
        """Adds names to query, relative to the zone; `@` is the apex, a name with a final dot is absolute."""
        names = self.names.setdefault(kind, [])
        for each in labels:
            names.append(each[:-1] if each.endswith(".") else ZONE if each == "@" else f"{each}.{ZONE}")

    def text(self):
        return "\n".join([f"$ORIGIN {ZONE}.", *self._lines, ""])


def _apex(zone):
    zone.add("@", "SOA", "ns1 hostmaster 2024010101 3600 600 604800 900")
    zone.add("@", "NS", "ns1", "ns2", "ns.elsewhere.example.")
    zone.some("@", ("A", "AAAA", "MX", "TXT", "CAA", "HTTPS"))
    for server in ("ns1", "ns2"):
        zone.some(server, ("A", "AAAA"), most=1)
    zone.add_questions("zone's own name", "@")
    zone.add_questions("existing", "ns1", "ns2")


def _hosts(zone):
    for number in range(20):
        types = zone.random.sample(list(_DATA), zone.random.randint(1, 6))
        zone.some(f"HOST{number}" if number % 3 else f"host{number}", types)
        zone.add_questions("existing", f"host{number}")
        zone.add_questions("not existing", f"nohost{number}", f"below.host{number}", f"a.b.below.host{number}")
    for type_ in _DATA:
        zone.some(f"only-{type_.lower()}", (type_,))
        zone.add_questions("existing", f"only-{type_.lower()}")


def _deep(zone):
    """Names with empty non-terminals between them (RFC 8020)."""
    for number in range(8):
        zone.some(f"leaf.a.b.c.deep{number}", ("A", "TXT"))
        zone.add_questions("existing", f"leaf.a.b.c.deep{number}")
        zone.add_questions("empty non-terminal", *(f"{above}deep{number}" for above in ("", "c.", "b.c.", "a.b.c.")))
        zone.add_questions("not existing", f"x.deep{number}", f"x.c.deep{number}", f"x.a.b.c.deep{number}", f"y.x.b.c.deep{number}")


def _wildcards(zone):
    """Wildcards (RFC 4592), with names that block a wildcard."""
    for number in range(6):
        wild = f"wild{number}"
        zone.some(f"*.{wild}", zone.random.sample(list(_DATA), 3))
        zone.some(f"exact.{wild}", ("A",))
        zone.some(f"leaf.empty.{wild}", ("TXT",))
        zone.add_questions("wildcard", f"x.{wild}", f"y.x.{wild}", f"z.y.x.{wild}", f"*.{wild}", f"x.*.{wild}", f"exactly.{wild}")
        zone.add_questions("beside a wildcard", f"exact.{wild}", f"x.exact.{wild}", f"empty.{wild}", f"x.empty.{wild}", wild)
    zone.add("*.wild-alias", "CNAME", "host1")
    zone.add("*.wild-alias-out", "CNAME", "away.elsewhere.example.")
    zone.add("*.wild-alias-lost", "CNAME", "nothing-here")
    zone.add("*.wild-alias-wild", "CNAME", "x.wild1")
    zone.some("*.inner.*.outer", ("A",))
    for alias in ("wild-alias", "wild-alias-out", "wild-alias-lost", "wild-alias-wild"):
        zone.add_questions("wildcard alias", f"x.{alias}", f"y.x.{alias}", f"*.{alias}", alias)
    zone.add_questions("wildcard", "x.outer", "y.x.outer", "inner.x.outer", "x.inner.*.outer", "x.inner.y.outer", "*.outer")


def _delegations(zone):
    """Delegations with glue, signed and unsigned; data below them in the file is not authoritative."""
    for number in range(4):
        child = f"child{number}"
        zone.add(child, "NS", f"ns1.{child}", f"ns2.deep.{child}", "ns.elsewhere.example.")
        zone.some(f"ns1.{child}", ("A", "AAAA"), most=2)
        zone.some(f"ns2.deep.{child}", ("A",), most=1)
        zone.some(f"hidden.{child}", ("A", "TXT"))
        zone.some(f"*.{child}", ("A",))
        if number % 2:
            zone.add(child, "DS", f"{1000 + number} 13 2 {zone.random.randrange(1 << 256):064x}")
        zone.add_questions("delegation", child)
        zone.add_questions("below a delegation", f"x.{child}", f"y.x.{child}", f"ns1.{child}", f"hidden.{child}", f"*.{child}")
    zone.add("sibling", "NS", "ns1.child0", "host0")
    zone.add("under.delegation.of.depth", "NS", "ns1.child1")
    zone.add_questions("delegation", "sibling", "under.delegation.of.depth")
    zone.add_questions("below a delegation", "x.sibling", "x.under.delegation.of.depth")
    zone.add_questions("empty non-terminal", "delegation.of.depth", "of.depth")


def _aliases(zone):
    targets = {
        "to-host": "host0", "to-alias": "to-host", "to-alias2": "to-alias", "to-alias3": "to-alias2",
        "to-wild": "x.wild0", "to-nothing": "nothing-here", "to-empty": "c.deep0", "to-child": "x.child0",
        "to-cut": "child1", "to-apex": "@", "to-dname": "x.dname0", "to-out": "away.elsewhere.example.",
    }  # fmt: skip
    for alias, target in targets.items():
        zone.add(alias, "CNAME", target)
    for owner, target in (("loop-a", "loop-b"), ("loop-b", "loop-c"), ("loop-c", "loop-a"), ("loop-self", "loop-self")):
        zone.add(owner, "CNAME", target)
    zone.add("into-loop", "CNAME", "loop-a")
    for number in range(30):
        zone.add(f"chain{number}", "CNAME", f"chain{number + 1}")
    zone.some("chain30", ("A",))
    zone.add_questions("alias", *targets, *(f"x.{alias}" for alias in list(targets)[:4]))
    zone.add_questions("alias in a circle", "loop-a", "loop-b", "loop-self", "into-loop")
    zone.add_questions("long chain of aliases", "chain0", "chain8", "chain16", "chain22", "chain25", "chain29")


def _dnames(zone):
    targets = {"dname0": "host-tree", "dname1": "dname0", "dname2": "away.elsewhere.example.", "dname3": "wild2"}
    for owner, target in targets.items():
        zone.add(owner, "DNAME", target)
        zone.some(owner, ("TXT",))
        zone.add_questions("DNAME", owner, f"x.{owner}", f"web.{owner}", f"a.web.{owner}", f"y.x.{owner}", f"*.{owner}")
    zone.some("web.host-tree", ("A", "AAAA"))
    zone.add("alias.host-tree", "CNAME", "host2")
    zone.add("dname-loop", "DNAME", "x.dname-loop-back")
    zone.add("dname-loop-back", "DNAME", "dname-loop")
    zone.add_questions("DNAME", "alias.dname0", "alias.dname1")
    zone.add_questions("DNAME in a circle", "x.dname-loop", "a.b.dname-loop")
    # The substituted name exceeds the maximum length (RFC 6672 section 2.2).
    zone.add("short", "DNAME", ".".join(["l" * 60, "m" * 60, "n" * 60]))
    zone.add_questions("DNAME too long", "o" * 60 + ".short", "p" * 50 + "." + "q" * 50 + ".short", "fits.short")


def _big(zone):
    """Record sets around the sizes at which UDP responses are truncated."""
    for count in (2, 4, 6, 10, 14, 24, 60):
        zone.add(f"big{count}", "TXT", *(f'"{number:03}{"b" * 80}"' for number in range(count)))
        zone.add(f"big{count}", "A", *(f"198.51.100.{number}" for number in range(count * 4)))
        zone.add_questions("big", f"big{count}")


def _odd_labels(zone):
    owners = ("a\\.b", "sp\\032ace", "null\\000", "\\255\\254", "l" * 63, "_sip._tcp", "xn--bcher-kva", "-dash-", "1")
    for owner in owners:
        zone.some(owner, ("A", "TXT"))
        zone.add_questions("odd label", owner, f"x.{owner}")
    zone.add_questions("odd label", "\\*.wild0", "a.b", "L" * 62, "@\\@")


def _outside(zone):
    zone.add_questions("outside the zone", "example.", "elsewhere.example.", f"x{ZONE}.", "com.", ".", "bench.example.com.")
