"""A backend for bodies of all sizes: GET /SIZE sends this many bytes, POST responds with the SHA-256 of the received
body."""

import functools
import hashlib

from harness.body_backend import BodyBackend, BodyHandler

_PIECE = 1 << 16


@functools.lru_cache(maxsize=None)
def pattern(size):
    """Returns the bytes of a body of this size, as defined in programs/clients/README.md."""
    base = bytes((i ^ i >> 8) & 0xFF for i in range(_PIECE))
    pieces = (_turned(base, number) for number in range(size // _PIECE + 1))
    return b"".join(pieces)[:size]


def _turned(base, number):
    return base.translate(bytes(byte ^ number & 0xFF for byte in range(256)))


def digest(size):
    return hashlib.sha256(pattern(size)).hexdigest()


class DigestBackend(BodyBackend):
    name = "backend-1"

    def __init__(self):
        super().__init__(_Handler)


class _Handler(BodyHandler):
    piece_bytes = _PIECE

    def do_GET(self):
        self.answer(pattern(int(self.path[1:] or 0)))

    def do_POST(self):
        seen = hashlib.sha256()
        for piece in self.received():
            seen.update(piece)
        self.answer(seen.hexdigest().encode())
