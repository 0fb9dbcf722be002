"""The differences between two servers' responses, and which of them are allowed."""

from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class Difference:
    """One difference between the two servers' responses to the same query; `ours` is from Ballast."""

    part: str
    theirs: object
    ours: object


def differences(theirs, ours):
    """Compares everything except ids and payload sizes; sections as sets, with their TTLs."""
    pairs = (
        ("rcode", theirs.rcode, ours.rcode),
        ("flags", theirs.flags, ours.flags),
        ("question", theirs.question, ours.question),
        ("answer", frozenset(theirs.answer), frozenset(ours.answer)),
        ("authority", frozenset(theirs.authority), frozenset(ours.authority)),
        ("additional", frozenset(theirs.additional), frozenset(ours.additional)),
        # Knot may repeat additional addresses; such a difference is not Ballast's fault.
        ("records twice", False, _has_doubles(ours)),
        ("EDNS", theirs.edns_size is not None, ours.edns_size is not None),
        ("DO", theirs.edns_do, ours.edns_do),
    )
    return [Difference(*pair) for pair in pairs if pair[1] != pair[2]]


def _has_doubles(message):
    return any(len(set(section)) < len(section) for section in (message.answer, message.authority, message.additional))


@dataclass(frozen=True)
class Rule:
    """Allows a difference; `allows` gets (query, their response, our response, difference)."""

    name: str
    reason: str
    allows: Callable


_SECTIONS = ("answer", "authority", "additional")
# Minimum number of aliases that both servers follow.
_ALIASES = 5


def _is_cut(question, theirs, ours, difference):
    both = "tc" in theirs.flags and "tc" in ours.flags
    return both and difference.part in _SECTIONS


def _is_help(question, theirs, ours, difference):
    """Addresses in a referral are required (RFC 9471), not optional."""
    is_referral = any(record.type == "NS" for record in theirs.authority)
    return difference.part == "additional" and theirs.answer and not is_referral and difference.ours < difference.theirs


def _is_given_up(question, theirs, ours, difference):
    less, more = sorted((set(theirs.answer), set(ours.answer)), key=len)
    aliases = [record for record in less if record.type == "CNAME"]
    is_part = less < more and all(record.type in ("CNAME", "DNAME") for record in less) and len(aliases) >= _ALIASES
    return is_part and difference.part in ("rcode", *_SECTIONS)


def _is_too_long(question, theirs, ours, difference):
    is_right = ours.rcode == "YXDOMAIN" and [record.type for record in ours.answer] == ["DNAME"]
    return is_right and difference.part in ("rcode", "authority")


def _is_in_circle(question, theirs, ours, difference):
    """Ballast's answer ends when a DNAME is repeated; Knot's answer continues with the repeated records."""
    rewritten = [record.name for record in ours.answer if record.type == "DNAME"]
    is_part = set(ours.answer) < set(theirs.answer) and len(rewritten) > 1 and len(set(rewritten)) == len(rewritten)
    return is_part and difference.part in ("rcode", *_SECTIONS)


RULES = (
    Rule(
        "truncated",
        "Both set TC, so the client retries over TCP and must not use the data (RFC 2181 section 9); how much of it"
        " is sent is the server's choice.",
        _is_cut,
    ),
    Rule(
        "additional addresses",
        "Knot adds the addresses of the hosts that an answer names. A resolver should not rely on them and queries"
        " itself, and they make answers large; Ballast's answers are minimal. Addresses that a referral needs are never omitted.",
        _is_help,
    ),
    Rule(
        "endless aliases",
        "How many aliases are followed in one answer is the server's choice; the resolver continues from the last one. Knot"
        f" stops after {_ALIASES}.",
        _is_given_up,
    ),
    Rule(
        "DNAME target too long",
        "A DNAME whose substituted name is too long is answered with YXDOMAIN (RFC 6672 section 2.2); Knot says"
        " NXDOMAIN.",
        _is_too_long,
    ),
    Rule(
        "DNAME loop",
        "Ballast ends an answer where a DNAME would be used a second time, Knot after some more rounds; the resolver continues"
        " from the last alias.",
        _is_in_circle,
    ),
)
# Applied when the responses are fetched: a truncated response is fetched again over TCP.
LONGER = Rule(
    "longer on the wire",
    "One server truncated its response and the other did not. Which names are compressed is the server's choice (RFC 1035"
    " section 4.1.4); both were queried again over TCP and compared, and the truncated response was indeed too long for UDP.",
    lambda *_: False,
)


def explain(question, theirs, ours, found):
    """Returns ({rule name: differences}, differences that no rule allows)."""
    explained, unexplained = {}, []
    for difference in found:
        rule = next((rule for rule in RULES if rule.allows(question, theirs, ours, difference)), None)
        if rule is None:
            unexplained.append(difference)
        else:
            explained.setdefault(rule.name, []).append(difference)
    return explained, unexplained
