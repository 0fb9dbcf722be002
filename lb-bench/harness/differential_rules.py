"""How two servers' responses differ, and which differences are allowed, by whom."""

from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class Difference:
    """One part of two responses to one question; `ours` is Ballast's."""

    part: str
    theirs: object
    ours: object


def differences(theirs, ours):
    """Compares everything but ids and payload sizes; sections as sets, with their TTLs."""
    pairs = (
        ("rcode", theirs.rcode, ours.rcode),
        ("flags", theirs.flags, ours.flags),
        ("question", theirs.question, ours.question),
        ("answer", frozenset(theirs.answer), frozenset(ours.answer)),
        ("authority", frozenset(theirs.authority), frozenset(ours.authority)),
        ("additional", frozenset(theirs.additional), frozenset(ours.additional)),
        # Knot's own repetitions among addresses that help are no concern of ours.
        ("records twice", False, _has_doubles(ours)),
        ("EDNS", theirs.edns_size is not None, ours.edns_size is not None),
        ("DO", theirs.edns_do, ours.edns_do),
    )
    return [Difference(*pair) for pair in pairs if pair[1] != pair[2]]


def _has_doubles(message):
    return any(len(set(section)) < len(section) for section in (message.answer, message.authority, message.additional))


@dataclass(frozen=True)
class Rule:
    """Allows differences; `allows` takes (question, their response, our response, difference)."""

    name: str
    reason: str
    allows: Callable


_SECTIONS = ("answer", "authority", "additional")
# How many aliases both follow, at least.
_ALIASES = 5


def _is_cut(question, theirs, ours, difference):
    both = "tc" in theirs.flags and "tc" in ours.flags
    return both and difference.part in _SECTIONS


def _is_help(question, theirs, ours, difference):
    """A referral's addresses are no help but needed (RFC 9471): there is no choice about those."""
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
    """Ours ends with the first DNAME that comes again; theirs has all of it, and turns on."""
    rewritten = [record.name for record in ours.answer if record.type == "DNAME"]
    is_part = set(ours.answer) < set(theirs.answer) and len(rewritten) > 1 and len(set(rewritten)) == len(rewritten)
    return is_part and difference.part in ("rcode", *_SECTIONS)


RULES = (
    Rule(
        "truncated",
        "Both set TC, so the client asks again over TCP and must not use what is there (RFC 2181 section 9); how much of it"
        " is sent is the server's choice.",
        _is_cut,
    ),
    Rule(
        "addresses that help",
        "Knot adds the addresses of the hosts that an answer names. A resolver may not trust them more than what it asks"
        " for itself, and they make answers big; Ballast's are minimal. What a referral needs is never left out.",
        _is_help,
    ),
    Rule(
        "aliases without end",
        "How many aliases are followed in one answer is the server's choice; the resolver asks on from the last. Knot"
        f" stops after {_ALIASES}.",
        _is_given_up,
    ),
    Rule(
        "substitute too long",
        "A DNAME whose substitute is longer than a name may be is answered with YXDOMAIN (RFC 6672 section 2.2); Knot says"
        " NXDOMAIN.",
        _is_too_long,
    ),
    Rule(
        "rewriting in a circle",
        "Ballast ends an answer where a DNAME would be used a second time, Knot after some more turns; the resolver asks on"
        " from the last alias.",
        _is_in_circle,
    ),
)
# Applied where the responses are asked for: a response that was cut is asked for again.
LONGER = Rule(
    "longer on the wire",
    "One server cut its response and the other did not. Which names are compressed is the server's choice (RFC 1035"
    " section 4.1.4); both were asked again over TCP and compared, and the one that was cut was indeed too long for UDP.",
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
