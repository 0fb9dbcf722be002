"""The ways to start Ballast, and their start-up times."""

import socket
import time
from dataclasses import dataclass

from harness import ports, procfs
from harness.javas import Java
from harness.workplace import ROOT, Failure

JAR = ROOT / "lb-server" / "target" / "lb.jar"

_MAX_SECONDS = 60
_POLL_SECONDS = 0.005
_READY = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@dataclass(frozen=True)
class Launch:
    """One way to start; `uses_lb` distinguishes bin/lb from a plain `java -jar lb.jar` without options."""

    java: Java
    uses_lb: bool
    uses_archive: bool

    @property
    def name(self):
        if not self.uses_lb:
            return "`java -jar lb.jar`"
        return "`bin/lb`" if self.uses_archive else "`bin/lb`, no archive"

    def command(self):
        return [ROOT / "bin" / "lb"] if self.uses_lb else [self.java.executable, "-jar", JAR]

    def environment(self):
        return {"LB_JAVA": str(self.java.home), "LB_ARCHIVE": "" if self.uses_archive else "off", "LB_JAVA_OPTS": ""}


def of(java):
    return [Launch(java, True, True), Launch(java, True, False), Launch(java, False, False)]


class StartedBallast:
    """A Ballast that has just become ready: seconds since its start, CPU seconds and resident bytes until then."""

    def __init__(self, place, launch, config, dashboard_port):
        begin = time.monotonic()
        command = [*launch.command(), "run", place.write("ballast.yaml", config)]
        self.process = place.start("ballast", command, launch.environment())
        while not _is_ready(dashboard_port):
            self.process.require_running()
            if time.monotonic() - begin > _MAX_SECONDS:
                raise Failure(f"not ready after {_MAX_SECONDS} s:\n{self.process.log_tail()}")
            time.sleep(_POLL_SECONDS)
        self.seconds = time.monotonic() - begin
        self.cpu = procfs.cpu_seconds(self.process.pid)
        self.rss = self.resident()

    def resident(self):
        return procfs.memory_bytes(self.process.pid)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stop()


def _is_ready(port):
    try:
        with socket.create_connection((ports.LOOPBACK, port), timeout=2) as client:
            client.sendall(_READY)
            return client.recv(64).startswith(b"HTTP/1.1 200 ")
    except OSError:
        return False
