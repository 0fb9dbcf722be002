"""Ballast under test: started with its launcher, and queried for its counters."""

import os
import shlex
import subprocess
import time

from harness import java, loopback, ports
from harness.template import fill_peer
from harness.workplace import ROOT, Failure, await_true, say

_START_SECONDS = 60


def lb(*arguments):
    """Returns the command line of `lb` with arguments. LB_COMMAND replaces the launcher, to test another build of
    Ballast."""
    return [*shlex.split(os.environ.get("LB_COMMAND", str(ROOT / "bin" / "lb"))), *map(str, arguments)]


_built = set()


def build(launcher=None):
    """Lets the launcher build the jar if sources are newer. This takes minutes and must not count as start-up time."""
    command = [str(launcher), "version"] if launcher else lb("version")
    if tuple(command) in _built:
        return
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"{' '.join(command)}: {done.stderr}")
    _built.add(tuple(command))


def make_archive(java):
    """Creates the class data archive for a Java if it is missing; otherwise the first start would create it under load.
    """
    if "LB_COMMAND" in os.environ:
        return
    say(f"creating the class data archive for Java {java.major} if it is missing")
    environment = {**os.environ, "LB_JAVA": str(java.home)}
    done = subprocess.run(lb("archive"), env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"bin/lb archive with Java {java.major}: {done.stderr}")


class Ballast:
    """A running Ballast with its dashboard at `dashboard_port`, on the given Java or the default of bin/lb.

    `launcher` is the `bin/lb` of another checkout, to compare two versions of Ballast.
    """

    def __init__(
        self, place, config, port, dashboard_port, java_options=(), name="ballast", java=None, environment=(), launcher=None
    ):
        self.name = name
        self.port = port
        self.launcher = launcher
        self.dashboard = f"http://{ports.LOOPBACK}:{dashboard_port}"
        build(launcher)
        begin = time.monotonic()
        options = " ".join([os.environ.get("LB_JAVA_OPTS", ""), *java_options])
        run = ("run", place.write(f"{name}.yaml", config))
        command = [launcher, *map(str, run)] if launcher else lb(*run)
        own = {"LB_JAVA_OPTS": options, **({"LB_JAVA": str(java.home)} if java else {}), **dict(environment)}
        self.started = place.start(self.name, command, own)
        await_true(lambda: loopback.is_ok(self.dashboard + "/readyz"), "Ballast to be ready", _START_SECONDS, self.started)
        self.start_seconds = time.monotonic() - begin

    def stats(self):
        return loopback.get_json(self.dashboard + "/stats")

    def metric(self, name):
        """Returns the value of a metric without labels; 0 if there is none."""
        lines = loopback.get(self.dashboard + "/metrics").decode().splitlines()
        return next((float(line.split()[1]) for line in lines if line.startswith(name + " ")), 0.0)

    def heap_after_collection(self):
        """Returns the bytes in use on the heap after a requested collection; None if this Java has no jcmd."""
        if not java.command_to(self.started.pid, "GC.run"):
            return None
        return self.stats()["process"]["heap_bytes"]

    def served(self):
        """Returns the requests sent to backends since the start; each attempt counts."""
        return sum(backend["total_req_count"] for backend in self.stats()["backends"])


def config(template, values, backends=()):
    """Returns (text, port, dashboard port) of a configuration from lb-bench/peers with free ports."""
    port, dashboard_port = ports.free(), ports.free()
    filled = fill_peer(template, {**values, **_lines(backends), "port": port, "dashboard_port": dashboard_port})
    return filled, port, dashboard_port


def _lines(backends):
    if not backends:
        return {}
    return {"backends": "\n".join(f'      - "{backend.address}"' for backend in backends)}
