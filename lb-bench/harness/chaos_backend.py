"""A backend of a chaos run, in a process of its own: records its requests, and fails in the way that a file requests.

Arguments: its name, address, port, the file for the ids of requests, and the file with the requested behaviour.
"""

import socket
import struct
import sys
import threading
import time
from pathlib import Path

ID = b"x-chaos-id:"
WELL, RESET, SLOW = "well", "reset", "slow"
_SLOW_SECONDS = 0.4


def main():
    name, host, port, log, mode = sys.argv[1:]
    server = socket.create_server((host, int(port)), backlog=512)
    with open(log, "ab", buffering=0) as out:
        while True:
            client, _ = server.accept()
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=_serve, args=(client, name, out, Path(mode)), daemon=True).start()


def _serve(client, name, out, mode):
    left = b""
    try:
        while True:
            while b"\r\n\r\n" not in left:
                data = client.recv(65536)
                if not data:
                    return
                left += data
            head, left = left.split(b"\r\n\r\n", 1)
            length = int(_field(head, b"content-length:") or 0)
            while len(left) < length:
                data = client.recv(65536)
                if not data:
                    return
                left += data
            left = left[length:]
            if not _answer(client, head, name, out, mode):
                return
    except OSError:
        pass
    finally:
        client.close()


def _answer(client, head, name, out, mode):
    """Returns whether the connection stays open."""
    request = _field(head, ID)
    if request is None:
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        return True
    out.write(b"%d %s\n" % (time.monotonic_ns(), request))
    how = mode.read_text()
    if how == RESET:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return False
    if how == SLOW:
        time.sleep(_SLOW_SECONDS)
    body = request + b" " + name.encode()
    client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
    return True


def _field(head, name):
    for line in head.split(b"\r\n")[1:]:
        if line.lower().startswith(name):
            return line[len(name) :].strip()
    return None


if __name__ == "__main__":
    main()
