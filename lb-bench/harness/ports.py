"""Free ports on the loopback address."""

import random
import socket

LOOPBACK = "127.0.0.1"

# Below the range that Linux takes the ports of outgoing connections from: a load run opens thousands of those, and one
# of them could otherwise take the port of a server between two starts.
FIRST = 20000
LAST = 32000

# What a DNS server listens on.
DNS = (socket.SOCK_STREAM, socket.SOCK_DGRAM)

_given = set()


def free(kinds=(socket.SOCK_STREAM,)):
    """Returns a port that nobody listens on; never the same one twice."""
    while True:
        port = random.randint(FIRST, LAST)
        if port not in _given and all(_is_free(port, kind) for kind in kinds):
            _given.add(port)
            return port


def _is_free(port, kind):
    with socket.socket(socket.AF_INET, kind) as probe:
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True
