"""A resolver on loopback that answers according to harness.soak_names. A program; its argument is the port."""

import socket
import struct
import sys

from harness import soak_names

_HEADER = struct.Struct(">6H")
_ANSWERS = 0x8180
_NXDOMAIN, _SERVFAIL = 3, 2
_SOA_DATA = soak_names.ORIGIN + b"\x00" + struct.pack(">5I", 1, 3600, 600, 86400, 300)
_RECEIVE_BYTES = 1 << 21


def respond(query):
    """Returns the encoded answer; None if there is none."""
    number, _, questions, *_ = _HEADER.unpack_from(query)
    end = query.index(b"\0", 12) + 5
    question = query[12:end]
    if questions != 1:
        return None
    type_ = int.from_bytes(question[-4:-2], "big")
    truth = soak_names.truth(question[:-4].lower(), type_)
    if truth.kind == soak_names.SILENT:
        return None
    if truth.kind == soak_names.FAILS:
        return _HEADER.pack(number, _ANSWERS | _SERVFAIL, 1, 0, 0, 0) + question
    if truth.kind == soak_names.EXISTS and truth.data:
        record = struct.pack(">HHHIH", 0xC00C, type_, 1, truth.ttl, len(truth.data)) + truth.data
        return _HEADER.pack(number, _ANSWERS, 1, 1, 0, 0) + question + record
    code = _NXDOMAIN if truth.kind == soak_names.MISSING else 0
    denial = soak_names.ORIGIN + struct.pack(">HHIH", 6, 1, max(truth.ttl, 1), len(_SOA_DATA)) + _SOA_DATA
    return _HEADER.pack(number, _ANSWERS | code, 1, 0, 1, 0) + question + denial


def main(port):
    serving = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    serving.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BYTES)
    serving.bind(("127.0.0.1", port))
    while True:
        query, client = serving.recvfrom(4096)
        answer = respond(query)
        if answer is not None:
            serving.sendto(answer, client)


if __name__ == "__main__":
    main(int(sys.argv[1]))
