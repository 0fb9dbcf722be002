"""The HTTP balancers that are compared: how each is started, on files in lb-bench/peers."""

import os
import shutil
from dataclasses import dataclass
from typing import Callable, Optional

from harness import ballast, conditions, java, ports
from harness.template import fill, fill_peer
from harness.workplace import BENCH, Started


@dataclass(frozen=True)
class Running:
    """A balancer that runs. `served` tells how many requests it says it sent to backends, if it counts them."""

    name: str
    version: str
    started: Started
    port: int
    served: Optional[Callable[[], int]] = None
    start_seconds: Optional[float] = None


def cores():
    return len(os.sched_getaffinity(0))


def start_ballast(place, scenario, backends, name="ballast", listener_lines=""):
    text, port, dashboard_port = ballast.config(scenario.template("ballast.yaml"), {}, backends)
    text = text.replace("    pool: web\n", "    pool: web\n" + listener_lines, 1)
    running = ballast.Ballast(place, text, port, dashboard_port, name=name)
    served = running.served if backends else None
    return Running(name, ballast_version(running), running.started, port, served, running.start_seconds)


def start_ballast_off(place, scenario, backends):
    """Beside the default, to see what forwarding headers cost."""
    return start_ballast(place, scenario, backends, "ballast-off", "    forwarding: off\n")


def ballast_version(running):
    return f"{conditions.tool_version(ballast.lb('version'))}, Java {java.version(running.started.pid)}"


def _filled(template, values):
    """A peer that is told how many cores there are; as it comes, it finds out itself."""
    text = (BENCH / "peers" / template).read_text()
    return fill(text, {**values, "cores": cores()} if "{{cores}}" in text else values)


def start_haproxy(place, scenario, backends):
    port = ports.free()
    servers = [f"    server {backend.name} {backend.address}" for backend in backends]
    text = _filled(scenario.template("haproxy.cfg"), {"port": port, **_listed(servers)})
    started = place.start("haproxy", ["haproxy", "-db", "-f", place.write("haproxy.cfg", text)])
    return Running("haproxy", conditions.tool_version(["haproxy", "-v"]), started, port)


def start_nginx(place, scenario, backends):
    port = ports.free()
    servers = [f"        server {backend.address};" for backend in backends]
    directory = place.subdirectory("nginx")
    values = {"port": port, "directory": directory, **_listed(servers)}
    config = place.write("nginx.conf", _filled(scenario.template("nginx.conf"), values))
    started = place.start("nginx", ["nginx", "-e", "stderr", "-c", config])
    return Running("nginx", conditions.tool_version(["nginx", "-v"]), started, port)


def start_divisor(place, scenario, backends):
    port = ports.free()
    urls = [f"  - url: {backend.address}" for backend in backends]
    values = {"port": port, "dashboard_port": ports.free(), **_listed(urls)}
    config = place.write("divisor.yaml", fill_peer(scenario.template("divisor.yaml"), values))
    started = place.start("divisor", [os.environ["DIVISOR"], "--config", config])
    return Running("divisor", os.environ.get("DIVISOR_VERSION", "version not given"), started, port)


# Name: how to start it, whether it is here, how to get it.
KNOWN = {
    "ballast": (start_ballast, lambda: True, ""),
    "ballast-off": (start_ballast_off, lambda: True, ""),
    "haproxy": (start_haproxy, lambda: shutil.which("haproxy"), "apt-get install haproxy"),
    "nginx": (start_nginx, lambda: shutil.which("nginx"), "apt-get install nginx-light"),
    "divisor": (start_divisor, lambda: os.environ.get("DIVISOR"), "set DIVISOR to its binary"),
}


def _listed(lines):
    return {"backends": "\n".join(lines)} if lines else {}
