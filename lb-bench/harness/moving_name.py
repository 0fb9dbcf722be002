"""A DNS server for one name whose address can be changed."""

import socket
import struct
import threading

from harness import dns_wire, ports

_A = 1


class MovingName(threading.Thread):
    """Answers A queries with the current address, and others without data; the TTL is one second."""

    def __init__(self, address):
        super().__init__(daemon=True)
        self.address = address
        self.port = ports.free(ports.DNS)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((ports.LOOPBACK, self.port))

    def run(self):
        while True:
            query, client = self._socket.recvfrom(4096)
            try:
                self._socket.sendto(answer(query, self.address), client)
            except (dns_wire.Malformed, OSError):
                continue


def answer(query, address):
    """Returns the encoded answer to a query."""
    question = dns_wire.parse(query).question
    (type_,) = struct.unpack(">H", question[-4:-2])
    records = []
    if type_ == _A:
        records.append(b"\xc0\x0c" + struct.pack(">HHIH", _A, 1, 1, 4) + socket.inet_aton(address))
    return query[:2] + struct.pack(">5H", 0x8180, 1, len(records), 0, 0) + question + b"".join(records)
