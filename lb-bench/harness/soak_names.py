"""The names of a soak, and what each leads to: resolvers and clients compute the same from the name alone."""

import zlib
from dataclasses import dataclass

ORIGIN = b"\x04soak\x07example\x00"
# Of names that are asked for once: one in so many gets no answer, and one a failure.
_SILENT_OF = 10
# Of the others: one in so many does not exist.
_MISSING_OF = 20
_MOST_TTL = 300
_A, _AAAA = 1, 28

SILENT, FAILS, MISSING, EXISTS = "silent", "fails", "missing", "exists"


@dataclass(frozen=True)
class Truth:
    """What a resolver has to say of a name and a type."""

    kind: str
    ttl: int
    data: bytes


def known(number):
    """The wire form of a name that is asked for again and again."""
    return _label(b"n%d" % number)


def unique(run, number):
    """Of one that is asked for once."""
    return _label(b"f%s-%d" % (run, number))


def _label(label):
    return bytes([len(label)]) + label + ORIGIN


def truth(name, type_):
    """What holds for a name in wire form, in lower case; other types than those of addresses have no records."""
    drawn = zlib.crc32(name)
    ttl = 1 + drawn % _MOST_TTL
    if name[1:2] == b"f" and drawn % _SILENT_OF < 2:
        return Truth((SILENT, FAILS)[drawn % _SILENT_OF], 0, b"")
    if name[1:2] == b"n" and drawn % _MISSING_OF == 0:
        return Truth(MISSING, ttl, b"")
    drawn = zlib.crc32(name, type_)
    data = {_A: b"\x0a" + drawn.to_bytes(4, "big")[1:], _AAAA: b"\x20\x01\x0d\xb8" + drawn.to_bytes(4, "big") * 3}
    return Truth(EXISTS, ttl, data.get(type_, b""))


def random_case(name, bits):
    """A name in wire form with its letters in the case that the bits of a number say."""
    octets = bytearray(name)
    for at, octet in enumerate(octets):
        if 0x61 <= octet <= 0x7A:
            if bits & 1:
                octets[at] = octet - 0x20
            bits >>= 1
    return bytes(octets)
