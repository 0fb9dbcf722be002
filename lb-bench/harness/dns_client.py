"""Sends single queries to DNS servers on the loopback address."""

import socket
import struct

from harness import dns_wire, ports

_SECONDS = 2.0


def exchange(port, query, seconds=_SECONDS):
    """Returns the response over UDP; raises OSError after the timeout."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(seconds)
        client.connect((ports.LOOPBACK, port))
        client.send(query)
        return client.recv(65535)


def exchange_tcp(port, query, seconds=_SECONDS):
    """Returns the response over a TCP connection of its own."""
    with socket.create_connection((ports.LOOPBACK, port), timeout=seconds) as client:
        client.sendall(struct.pack(">H", len(query)) + query)
        (length,) = struct.unpack(">H", _exactly(client, 2))
        return _exactly(client, length)


def _exactly(client, count):
    data = b""
    while len(data) < count:
        piece = client.recv(count - len(data))
        if not piece:
            raise ConnectionError(f"closed after {len(data)} of {count} bytes")
        data += piece
    return data


def answer_count(port, name, type_="A", recursion=False):
    """Returns the number of records in the server's answer; None without a response."""
    try:
        return len(dns_wire.parse(exchange(port, dns_wire.question(name, type_, recursion=recursion), seconds=0.5)).answer)
    except (OSError, dns_wire.Malformed):
        return None
