"""Free ports on the loopback address."""

import random
import socket

LOOPBACK = "127.0.0.1"

# Below Linux's range of ephemeral ports: a load run opens thousands of outgoing connections, and one of them could
# otherwise take a server's port between two starts.
FIRST = 20000
LAST = 32000

# The sockets of a DNS server.
DNS = (socket.SOCK_STREAM, socket.SOCK_DGRAM)

_given = set()


def free(kinds=(socket.SOCK_STREAM,)):
    """Returns an unused port; never the same one twice."""
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
