"""The names of a DNS soak and their records: resolvers and clients compute the same from the name alone."""

import zlib
from dataclasses import dataclass

ORIGIN = b"\x04soak\x07example\x00"
# One in this many unique names gets no answer, and one a failure.
_SILENT_OF = 10
# One in this many repeated names does not exist.
_MISSING_OF = 20
_MAX_TTL = 300
_A, _AAAA = 1, 28

SILENT, FAILS, MISSING, EXISTS = "silent", "fails", "missing", "exists"


@dataclass(frozen=True)
class Truth:
    """The correct answer for a name and a type."""

    kind: str
    ttl: int
    data: bytes


def known(number):
    """Returns the wire form of a repeated name."""
    return _label(b"n%d" % number)


def unique(run, number):
    """Returns the wire form of a unique name."""
    return _label(b"f%s-%d" % (run, number))


def _label(label):
    return bytes([len(label)]) + label + ORIGIN


def truth(name, type_):
    """Returns the correct answer for a name in wire form and lower case; only address types have records."""
    drawn = zlib.crc32(name)
    ttl = 1 + drawn % _MAX_TTL
    if name[1:2] == b"f" and drawn % _SILENT_OF < 2:
        return Truth((SILENT, FAILS)[drawn % _SILENT_OF], 0, b"")
    if name[1:2] == b"n" and drawn % _MISSING_OF == 0:
        return Truth(MISSING, ttl, b"")
    drawn = zlib.crc32(name, type_)
    data = {_A: b"\x0a" + drawn.to_bytes(4, "big")[1:], _AAAA: b"\x20\x01\x0d\xb8" + drawn.to_bytes(4, "big") * 3}
    return Truth(EXISTS, ttl, data.get(type_, b""))


def random_case(name, bits):
    """Returns a name in wire form with random case; the bits of `bits` select upper case."""
    wire = bytearray(name)
    for at, byte in enumerate(wire):
        if 0x61 <= byte <= 0x7A:
            if bits & 1:
                wire[at] = byte - 0x20
            bits >>= 1
    return bytes(wire)
