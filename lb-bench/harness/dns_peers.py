"""The DNS servers that are compared: how each is started, on files in lb-bench/peers/dns."""

import getpass
import grp
import os
import shutil
import socket
import struct

from harness import ballast, conditions, ports
from harness.peers import Running, ballast_version, cores
from harness.template import fill_peer

_BOTH = (socket.SOCK_STREAM, socket.SOCK_DGRAM)


def start_ballast(place, scenario):
    port, dashboard_port = ports.free(_BOTH), ports.free()
    values = {"port": port, "dashboard_port": dashboard_port, "services": scenario.services()}
    running = ballast.Ballast(place, fill_peer("dns/ballast.yaml", values), port, dashboard_port)
    count = lambda: running.stats()["dns"]["queries"]
    return Running("ballast", ballast_version(running), running.started, port, count, running.start_seconds)


def start_gdnsd(place, scenario):
    port, directory = ports.free(_BOTH), place.subdirectory("gdnsd")
    for name in ("run", "state", "zones"):
        (directory / name).mkdir()
    place.write("gdnsd/config", fill_peer("dns/gdnsd.conf", {"port": port, "cores": cores(), "directory": directory}))
    place.write("gdnsd/zones/bench.example", _zone(scenario))
    started = place.start("gdnsd", ["gdnsd", "-c", directory, "start"])
    return Running("gdnsd", conditions.tool_version(["gdnsd", "-h"]), started, port)


def start_knot(place, scenario):
    port, directory = ports.free(_BOTH), place.subdirectory("knot")
    values = {
        "port": port,
        "cores": cores(),
        "directory": directory,
        "user": f"{getpass.getuser()}:{grp.getgrgid(os.getgid()).gr_name}",
        "zone": place.write("knot/bench.example.zone", _zone(scenario)),
    }
    config = place.write("knot/knot.conf", fill_peer("dns/knot.conf", values))
    started = place.start("knot", ["knotd", "-c", config, "-s", directory / "knot.sock"])
    return Running("knot", conditions.tool_version(["knotd", "--version"]), started, port)


# Name: how to start it, whether it is here, how to get it.
KNOWN = {
    "ballast": (start_ballast, lambda: True, ""),
    "gdnsd": (start_gdnsd, lambda: shutil.which("gdnsd"), "apt-get install gdnsd"),
    "knot": (start_knot, lambda: shutil.which("knotd"), "apt-get install knot"),
}


def answers(port, name):
    """How many records a server answers an A query with; None if it does not answer."""
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    query = struct.pack(">6H", 1, 0, 1, 0, 0, 0) + labels + b"\0" + struct.pack(">2H", 1, 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(0.5)
        try:
            client.connect((ports.LOOPBACK, port))
            client.send(query)
            return struct.unpack(">6H", client.recv(512)[:12])[3]
        except OSError:
            return None


def _zone(scenario):
    return fill_peer("dns/zone", {"records": scenario.records()})
