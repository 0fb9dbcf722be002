"""Many slow clients, or the backend that they wait for: a program of its own, started by slow_clients.

    crowd.py readers PORT COUNT PATH      each sends a request and reads 512 bytes per second
    crowd.py uploaders PORT COUNT PATH    each sends a body as fast as it is accepted
    crowd.py streams PORT COUNT PATH      each sends 100 HTTP/2 requests at once and never opens the window
    crowd.py handshakes PORT COUNT PATH   each starts a TLS handshake and continues with one byte per second
    crowd.py sink PORT                    accepts, and never reads

Prints `open N` when all are connected, and on SIGTERM one line of JSON: how many were opened, and how many of them the
other side has closed.
"""

import errno
import json
import resource
import selectors
import signal
import socket
import struct
import sys
import time

_LOOPBACK = "127.0.0.1"
_OWN = "127.0.0.3"
_SMALL_BUFFER = 4096
_SEND_BUFFER = 32 * 1024
_PIECE = 512
_UPLOAD = b"x" * 65536
_STREAMS = 100
# A handshake record with a ClientHello, both announced with 512 bytes that are never sent.
_HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc"
_AT_ONCE = 200
_PARTS = 20


class Crowd:
    def __init__(self, port, count, head, receive_buffer):
        self._port, self._count, self._head, self._receive_buffer = port, count, head, receive_buffer
        self._open = []
        self.opened = 0
        self.ended = 0
        self.stopped = False

    def connect(self):
        while self.opened < self._count and not self.stopped:
            for _ in range(min(_AT_ONCE, self._count - self.opened)):
                self._open.append(self._connected())
                self.opened += 1
            self.turn()
        print(f"open {self.opened}", flush=True)

    def _connected(self):
        client = socket.socket()
        if self._receive_buffer:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self._receive_buffer)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        client.bind((_OWN, 0))
        client.connect((_LOOPBACK, self._port))
        client.sendall(self._head)
        client.setblocking(False)
        return client

    def turn(self, part=0, parts=1):
        """Does the per-second work for one part of the clients, because real clients do not act at the same moment."""
        left = []
        for index, client in enumerate(self._open):
            if index % parts != part or self.act(client):
                left.append(client)
            else:
                client.close()
                self.ended += 1
        self._open = left

    def act(self, client):
        raise NotImplementedError

    def run(self):
        self.connect()
        part = 0
        while not self.stopped:
            begin = time.monotonic()
            self.turn(part, _PARTS)
            part = (part + 1) % _PARTS
            time.sleep(max(0.0, 1.0 / _PARTS - (time.monotonic() - begin)))
        print(json.dumps({"opened": self.opened, "ended": self.ended}), flush=True)


class Readers(Crowd):
    def act(self, client):
        try:
            return client.recv(_PIECE) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False


class Uploaders(Crowd):
    def act(self, client):
        try:
            while not self.stopped:
                client.send(_UPLOAD)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return True


class SlowStreams(Crowd):
    """Reads heads, SETTINGS and PINGs from the connection, but no bodies."""

    def act(self, client):
        try:
            while not self.stopped:
                if client.recv(65536) == b"":
                    return False
        except BlockingIOError:
            return True
        except OSError:
            return False
        return True


class SlowHandshakes(Crowd):
    def act(self, client):
        try:
            client.send(b"\x03")
            return client.recv(_PIECE) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False


def frame(kind, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def streams(path):
    """Returns the preface, SETTINGS with an initial window of 0, and the requests with literal header fields (RFC
    7541)."""
    head = b"\x82\x86" + _literal(b":path", path.encode()) + _literal(b":authority", b"a")
    requests = [frame(1, 5, 2 * index + 1, head) for index in range(_STREAMS)]
    settings = frame(4, 0, 0, struct.pack(">HI", 4, 0))
    return b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings + b"".join(requests)


def _literal(name, value):
    return bytes([0, len(name)]) + name + bytes([len(value)]) + value


def sink(port, is_stopped):
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind((_LOOPBACK, port))
    server.listen(4096)
    server.setblocking(False)
    selector = selectors.DefaultSelector()
    selector.register(server, selectors.EVENT_READ)
    held = []
    print("open 0", flush=True)
    while not is_stopped():
        if selector.select(timeout=0.2):
            try:
                held.append(server.accept()[0])
            except OSError as error:
                if error.errno not in (errno.EAGAIN, errno.EMFILE):
                    raise


def main():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    kind, port = sys.argv[1], int(sys.argv[2])
    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    if kind == "sink":
        sink(port, lambda: bool(stopped))
        return
    count, path = int(sys.argv[3]), sys.argv[4]
    if kind == "readers":
        crowd = Readers(port, count, f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode(), _SMALL_BUFFER)
    elif kind == "streams":
        crowd = SlowStreams(port, count, streams(path), 0)
    elif kind == "handshakes":
        crowd = SlowHandshakes(port, count, _HELLO, 0)
    else:
        head = f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {1 << 40}\r\n\r\n"
        crowd = Uploaders(port, count, head.encode(), 0)
    signal.signal(signal.SIGTERM, lambda *_: setattr(crowd, "stopped", True))
    crowd.run()


if __name__ == "__main__":
    main()
