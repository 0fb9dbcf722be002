"""Backends that pass a TCP check and fail every request."""

import selectors
import socket
import struct
import threading

from harness import ports
from harness.workplace import await_true

_RESET_AT_CLOSE = struct.pack("ii", 1, 0)


class Unavailable:
    """nginx that immediately responds 503 from memory."""

    def __init__(self, place, number):
        name = f"unavailable-{number}"
        self.address = f"{ports.LOOPBACK}:{ports.free()}"
        config = place.write(f"{name}.conf", _nginx(place.subdirectory(name), self.address))
        self.started = place.start(name, ["nginx", "-e", "stderr", "-c", config])
        await_true(lambda: _accepts(self.address), name, 5, self.started)


def _nginx(directory, address):
    return (
        f"daemon off;\npid {directory}/nginx.pid;\nworker_processes 1;\nerror_log stderr crit;\n"
        "events { worker_connections 4096; }\n"
        "http {\n    access_log off;\n    keepalive_timeout 1h;\n    keepalive_requests 1000000000;\n"
        + "".join(
            f"    {kind}_temp_path {directory}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        + f"    server {{ listen {address} backlog=4096; location / {{ return 503; }} }}\n}}\n"
    )


def _accepts(address):
    host, port = address.split(":")
    try:
        socket.create_connection((host, int(port)), timeout=1).close()
    except OSError:
        return False
    return True


class Resetting:
    """Accepts every connection and resets it when a request arrives. Use it as a context manager."""

    def __init__(self):
        self._listener = socket.create_server((ports.LOOPBACK, ports.free()), backlog=4096)
        self.address = "{}:{}".format(*self._listener.getsockname())
        self._listener.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._is_closing = False
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def _serve(self):
        while not self._is_closing:
            for key, _ in self._selector.select(timeout=0.2):
                if key.fileobj is self._listener:
                    self._take()
                else:
                    self._selector.unregister(key.fileobj)
                    _reset(key.fileobj)

    def _take(self):
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return  # the client disconnected before the accept
        self._selector.register(connection, selectors.EVENT_READ)

    def __exit__(self, *_):
        self._is_closing = True
        self._thread.join()
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()
        self._selector.close()


def _reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_AT_CLOSE)
    connection.close()
