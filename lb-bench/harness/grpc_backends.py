"""gRPC backends: one process of programs/grpc on several addresses."""

import subprocess

from harness import cache, loopback, ports
from harness.workplace import await_true


class GrpcBackend:
    """One address; the first one of a process returns the count of all."""

    def __init__(self, number, port, count_port=None):
        self.name = f"backend-{number}"
        self.address = f"{ports.LOOPBACK}:{port}"
        self._count_port = count_port

    def served(self):
        if self._count_port is None:
            return 0
        count = loopback.get(f"http://{ports.LOOPBACK}:{self._count_port}/served")
        return None if count is None else int(count)


def start(place, count=4):
    program, count_port = cache.go_program("grpc"), ports.free()
    listening = [ports.free() for _ in range(count)]
    started = place.start("grpc-backend", [program, "serve", count_port, *listening])
    found = [GrpcBackend(number, port, count_port if number == 1 else None) for number, port in enumerate(listening, 1)]
    await_true(lambda: found[0].served() is not None, "the gRPC backend", 10, started)
    return found


def answers(port):
    """Returns whether a call through this port succeeds and echoes its payload."""
    command = [str(cache.go_program("grpc")), "call", str(port)]
    return subprocess.run(command, capture_output=True, check=False, timeout=20).returncode == 0
