"""DNS messages (RFC 1035 section 4) as far as a client needs them: encoding of queries, parsing of responses."""

import struct
from dataclasses import dataclass
from typing import Optional

# Types that are queried or parsed by name.
TYPES = {
    "A": 1, "NS": 2, "CNAME": 5, "SOA": 6, "PTR": 12, "HINFO": 13, "MX": 15, "TXT": 16, "AAAA": 28, "SRV": 33,
    "NAPTR": 35, "DNAME": 39, "OPT": 41, "DS": 43, "RRSIG": 46, "NSEC": 47, "DNSKEY": 48, "TLSA": 52, "CDS": 59,
    "CDNSKEY": 60, "SVCB": 64, "HTTPS": 65, "CAA": 257,
}  # fmt: skip
_TYPE_NAMES = {number: name for name, number in TYPES.items()}
RCODES = {0: "NOERROR", 1: "FORMERR", 2: "SERVFAIL", 3: "NXDOMAIN", 4: "NOTIMP", 5: "REFUSED", 6: "YXDOMAIN", 16: "BADVERS"}
_FLAGS = ((0x8000, "qr"), (0x0400, "aa"), (0x0200, "tc"), (0x0100, "rd"), (0x0080, "ra"), (0x0020, "ad"), (0x0010, "cd"))
_IN = 1
_DO = 0x8000
_MAX_JUMPS = 100

# For types whose data may contain compressed names: the number of bytes before the names, and of names.
_NAMES_IN_DATA = {2: (0, 1), 5: (0, 1), 6: (0, 2), 12: (0, 1), 15: (2, 1), 33: (6, 1), 39: (0, 1)}


class Malformed(Exception):
    """The data is not a valid DNS message; the text says where."""


@dataclass(frozen=True, order=True)
class Record:
    """Owner and names in the data are in lower case and uncompressed; other data is unchanged."""

    name: str
    type: str
    ttl: int
    data: str

    def __str__(self):
        return f"{self.name} {self.ttl} {self.type} {self.data}"


@dataclass(frozen=True)
class Message:
    id: int
    flags: tuple
    rcode: str
    # The bytes of the question section; case-sensitive.
    question: bytes
    answer: tuple
    authority: tuple
    additional: tuple
    # The payload size of the OPT record, None without one; and its DO bit.
    edns_size: Optional[int] = None
    edns_do: bool = False
    # Size of the whole message in bytes.
    length: int = 0


def type_number(name):
    """Returns the number of a type name, or of `TYPE123` (RFC 3597 section 5)."""
    return int(name[4:]) if name not in TYPES else TYPES[name]


def type_name(number):
    return _TYPE_NAMES.get(number, f"TYPE{number}")


def encode_name(text):
    """Returns the uncompressed wire form of a name; supports the escapes `\\.` and `\\065`."""
    labels, label, at = [], bytearray(), 0
    text = text.rstrip(".") if not text.endswith("\\.") else text
    while at < len(text):
        if text[at] == "\\" and text[at + 1 : at + 4].isdigit():
            label.append(int(text[at + 1 : at + 4]))
            at += 4
        elif text[at] == "\\":
            label.append(ord(text[at + 1]))
            at += 2
        elif text[at] == ".":
            labels.append(bytes(label))
            label.clear()
            at += 1
        else:
            label.append(ord(text[at]))
            at += 1
    if text:
        labels.append(bytes(label))
    return b"".join(bytes([len(part)]) + part for part in labels) + b"\0"


def question(name, type_, number=1, edns_size=None, dnssec=False, recursion=False, edns_version=0):
    """Returns an encoded query, with an OPT record if `edns_size` is given."""
    header = struct.pack(">6H", number, 0x0100 if recursion else 0, 1, 0, 0, 0 if edns_size is None else 1)
    question_bytes = encode_name(name) + struct.pack(">2H", type_number(type_), _IN)
    if edns_size is None:
        return header + question_bytes
    upper = edns_version << 16 | (_DO if dnssec else 0)
    return header + question_bytes + b"\0" + struct.pack(">HHIH", TYPES["OPT"], edns_size, upper, 0)


def parse(wire):
    """Returns the parsed message; raises Malformed, also for data after its end."""
    try:
        return _parse(wire)
    except (struct.error, IndexError):
        raise Malformed(f"ends early, after {len(wire)} bytes") from None


def _parse(wire):
    number, bits, *counts = struct.unpack_from(">6H", wire)
    at = 12
    for _ in range(counts[0]):
        at = _name(wire, at)[1] + 4
    question_bytes = wire[12:at]
    sections, size, rcode, do = [], None, bits & 15, False
    for count in counts[1:]:
        records = []
        for _ in range(count):
            name, at = _name(wire, at)
            type_, class_, ttl, length = struct.unpack_from(">HHIH", wire, at)
            at += 10
            if at + length > len(wire):
                raise Malformed(f"data of {name} {type_name(type_)} ends beyond the message")
            if type_ == TYPES["OPT"]:
                size, rcode, do = class_, rcode | ttl >> 24 << 4, bool(ttl & _DO)
            else:
                records.append(Record(name, type_name(type_), ttl, _data(wire, at, length, type_)))
            at += length
        sections.append(tuple(records))
    if at != len(wire):
        raise Malformed(f"{len(wire) - at} bytes after its end")
    flags = tuple(name for bit, name in _FLAGS if bits & bit)
    return Message(number, flags, _rcode_name(rcode), question_bytes, *sections, size, do, len(wire))


def _rcode_name(rcode):
    return RCODES.get(rcode, str(rcode))


def _data(wire, at, length, type_):
    end = at + length
    if type_ == TYPES["A"] and length == 4:
        return ".".join(map(str, wire[at:end]))
    if type_ not in _NAMES_IN_DATA:
        return wire[at:end].hex()
    before, count = _NAMES_IN_DATA[type_]
    words = [wire[at : at + before].hex()] if before else []
    at += before
    for _ in range(count):
        name, at = _name(wire, at)
        words.append(name)
    if at > end:
        raise Malformed(f"a name in {type_name(type_)} data ends beyond them")
    return " ".join(words + ([wire[at:end].hex()] if at < end else []))


def _name(wire, at):
    """Returns (name in lower case as text, offset of the data after it)."""
    labels, after, jumps = [], None, 0
    while length := wire[at]:
        if length >= 0xC0:
            after = after or at + 2
            at = (length & 0x3F) << 8 | wire[at + 1]
            jumps += 1
            if jumps > _MAX_JUMPS:
                raise Malformed("compression pointers form a loop")
        elif length < 0x40:
            labels.append(_label(wire[at + 1 : at + 1 + length]))
            at += 1 + length
        else:
            raise Malformed(f"label of unknown kind {length:#x} at {at}")
    return ".".join(labels) + ".", after or at + 1


def _label(wire):
    return "".join(
        chr(byte) if 33 <= byte < 127 and byte not in b".\\" else f"\\{byte:03d}" for byte in wire.lower()
    )
