"""Asks single questions of DNS servers on the loopback address."""

import socket
import struct

from harness import dns_wire, ports

_SECONDS = 2.0


def ask(port, query, seconds=_SECONDS):
    """The octets that come back over UDP; raises OSError if none do in time."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(seconds)
        client.connect((ports.LOOPBACK, port))
        client.send(query)
        return client.recv(65535)


def ask_tcp(port, query, seconds=_SECONDS):
    """The octets that come back over a TCP connection of its own."""
    with socket.create_connection((ports.LOOPBACK, port), timeout=seconds) as client:
        client.sendall(struct.pack(">H", len(query)) + query)
        (length,) = struct.unpack(">H", _exactly(client, 2))
        return _exactly(client, length)


def _exactly(client, count):
    octets = b""
    while len(octets) < count:
        piece = client.recv(count - len(octets))
        if not piece:
            raise ConnectionError(f"closed after {len(octets)} of {count} octets")
        octets += piece
    return octets


def answer_count(port, name, type_="A", recursion=False):
    """How many records the server answers with; None if it does not answer."""
    try:
        return len(dns_wire.parse(ask(port, dns_wire.question(name, type_, recursion=recursion), seconds=0.5)).answer)
    except (OSError, dns_wire.Malformed):
        return None
