"""Sockets in other network namespaces. Needs root."""

import ctypes
import http.client
import json
import os
import selectors
import socket
import threading

from harness import ports

_NEW_NETWORK = 0x40000000
_TIMEOUT_SECONDS = 3
_libc = ctypes.CDLL(None, use_errno=True)


def create(namespace, kind=socket.SOCK_STREAM):
    """Returns a socket in a network namespace. A socket stays in the namespace of the thread that created it, so the thread
    that enters the namespace ends immediately."""
    result = []

    def enter():
        try:
            handle = os.open(f"/run/netns/{namespace}", os.O_RDONLY)
            try:
                if _libc.setns(handle, _NEW_NETWORK) != 0:
                    raise OSError(ctypes.get_errno(), f"cannot enter the network namespace {namespace}")
                result.append(socket.socket(socket.AF_INET, kind))
            finally:
                os.close(handle)
        except OSError as error:
            result.append(error)

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    if isinstance(result[0], OSError):
        raise result[0]
    return result[0]


def request(namespace, port, method, path, body=None):
    """Sends an HTTP request to the loopback address of a namespace; returns (status, JSON of the body). Raises OSError."""
    connection = http.client.HTTPConnection(ports.LOOPBACK, port)
    connection.sock = create(namespace)
    try:
        connection.sock.settimeout(_TIMEOUT_SECONDS)
        connection.sock.connect((ports.LOOPBACK, port))
        headers = {"Content-Type": "application/json"} if body is not None else {}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        text = response.read()
        return response.status, json.loads(text) if text[:1] in (b"{", b"[") else None
    except http.client.HTTPException as error:
        raise OSError(f"{method} {path}: {error!r}") from error
    finally:
        connection.close()


class Acceptor:
    """Ports in namespaces that accept connections and close them at once, like a backend that is only checked."""

    def __init__(self):
        self._selector = selectors.DefaultSelector()
        self._lock = threading.Lock()
        self._open = {}
        threading.Thread(target=self._run, daemon=True).start()

    def accept(self, namespace, port, host=""):
        listening = create(namespace)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(4096)
        listening.setblocking(False)
        with self._lock:
            self._selector.register(listening, selectors.EVENT_READ)
            self._open[namespace, port, host] = listening

    def refuse(self, namespace, port, host=""):
        with self._lock:
            listening = self._open.pop((namespace, port, host), None)
            if listening is not None:
                self._selector.unregister(listening)
                listening.close()

    def _run(self):
        while True:
            for key, _ in self._selector.select(timeout=0.2):
                try:
                    for _ in range(100):
                        key.fileobj.accept()[0].close()
                except OSError:
                    pass  # none left, or closed meanwhile
