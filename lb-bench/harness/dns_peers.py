"""The compared DNS servers: how each is started, with files in lb-bench/peers/dns."""

import getpass
import grp
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, replace
from typing import Callable, Optional

from harness import ballast, conditions, java, ports
from harness.dns_scenarios import PLAIN, PLAIN_PEER, SCENARIOS
from harness.peers import ballast_version, cores
from harness.template import fill_peer
from harness.workplace import Failure, Started

_HOW_TO_GET_OPENGSLB = "pass its binary with --opengslb (go build ./cmd/opengslb in github.com/LoganRossUS/OpenGSLB)"


@dataclass(frozen=True)
class Counts:
    """The counters of a server since its start."""

    queries: int
    noerror: int


@dataclass(frozen=True)
class DnsServer:
    """A running DNS server; `counts` returns its counters, None if it has none."""

    name: str
    version: str
    started: Started
    port: int
    counts: Optional[Callable[[], Counts]] = None
    java_major: Optional[int] = None
    # dnsperf options for this server.
    options: tuple = ()

    @property
    def compiles(self):
        """Returns whether it needs a warm-up because a JIT compiles its code."""
        return self.java_major is not None


@dataclass(frozen=True)
class Kind:
    """A server to measure. `start` takes (place, scenario, open ports)."""

    name: str
    start: Callable
    is_installed: Callable[[], bool]
    how_to_get: str = ""


def kinds(scenario, javas, names, opengslb=None):
    """Returns the servers to measure: Ballast on each Java, and the peers of this scenario among `names`."""
    ours = [
        _ballast(name_on(name, java, javas), run_scenario, java)
        for name, run_scenario in [("ballast", scenario), (PLAIN_PEER, SCENARIOS[PLAIN])]
        for java in javas
        if name == "ballast" or PLAIN_PEER in scenario.peers
    ]
    return ours + [peer for peer in _others(opengslb) if peer.name in scenario.peers and peer.name in names]


def name_on(name, java, javas):
    """Returns the name with the Java version, which is omitted for the newest."""
    return name if java == javas[0] else f"{name}-{java.major}"


def _ballast(name, run_scenario, java):
    return Kind(name, lambda place, _, open_ports: start_ballast(place, name, run_scenario, open_ports, java), lambda: True)


def before(directory, scenario):
    """Returns Ballast from another built checkout."""
    launcher = str(directory.resolve() / "bin" / "lb")
    return Kind("before", lambda place, _, open_ports: start_ballast(place, "before", scenario, open_ports, launcher=launcher), lambda: True)


def _others(opengslb):
    return [
        Kind("gdnsd", start_gdnsd, lambda: shutil.which("gdnsd"), "apt-get install gdnsd"),
        Kind("knot", start_knot, lambda: shutil.which("knotd"), "apt-get install knot"),
        Kind("opengslb", lambda *a: start_opengslb(opengslb, *a), lambda: opengslb, _HOW_TO_GET_OPENGSLB),
    ]


def start_ballast(place, name, scenario, open_ports, java=None, java_options=(), launcher=None):
    port, dashboard_port = ports.free(ports.DNS), ports.free()
    values = {"port": port, "dashboard_port": dashboard_port}
    if scenario.backends:
        values["backends"] = listed(open_ports.addresses[: scenario.backends])
    else:
        values["zone"] = place.write(f"{name}.zone", _zone(scenario))
    if scenario.is_signed:
        values["data_dir"] = place.subdirectory(f"{name}-data")
    if scenario.has_far_pool:
        values["far_backends"] = listed(open_ports.addresses[scenario.backends : scenario.addresses])
    if scenario.networks:
        values["networks"], values["far_networks"] = scenario.network_lists()
    config = fill_peer(scenario.template("ballast.yaml"), values)
    running = ballast.Ballast(place, config, port, dashboard_port, java_options, name, java, launcher=launcher)
    return replace(serving(running, java), options=scenario.options)


def serving(running, wanted=None):
    """Wraps a running Ballast; fails if it does not run on the wanted Java."""
    version = ballast_version(running)
    major = int(re.search(r"Java (\d+)", version)[1])
    if wanted and wanted.major != major:
        raise Failure(f"{running.name} runs on Java {major} (expected: {wanted.major}; LB_COMMAND must honour LB_JAVA)")

    def counts():
        dns = running.stats()["dns"]
        return Counts(dns["queries"], dns["responses_by_code"]["NOERROR"])

    return DnsServer(running.name, version, running.started, running.port, counts, major)


def listed(addresses):
    return "\n".join(f'      - "{address}"' for address in addresses)


def start_gdnsd(place, scenario, open_ports):
    port, directory = ports.free(ports.DNS), place.subdirectory("gdnsd")
    for name in ("run", "state", "zones"):
        (directory / name).mkdir()
    # The labels of the addresses are arbitrary; `weighted` needs a weight for each.
    form = "      a{} => [ {}, 1 ]" if scenario.records == 1 else "      a{} => {}"
    addresses = "\n".join(form.format(*pair) for pair in enumerate(open_ports.hosts[: scenario.backends]))
    values = {"port": port, "cores": cores(), "directory": directory, "check_port": open_ports.port, "addresses": addresses}
    place.write("gdnsd/config", fill_peer(scenario.template("gdnsd.conf"), values))
    place.write("gdnsd/zones/bench.example", fill_peer(scenario.template("gdnsd.zone"), {}))
    started = place.start("gdnsd", ["gdnsd", "-c", directory, "start"])

    def counts():
        done = subprocess.run(["gdnsdctl", "-c", directory, "stats"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"gdnsdctl exited with {done.returncode}: {done.stderr.strip()}")
        counted = json.loads(done.stdout)
        return Counts(counted["udp"]["reqs"], counted["stats"]["noerror"])

    return DnsServer("gdnsd", conditions.tool_version(["gdnsd", "-h"]), started, port, counts)


def start_knot(place, scenario, _):
    return run_knot(place, scenario.template("knot.conf"), _zone(scenario), cores=cores())


def _zone(scenario):
    return fill_peer(scenario.template("zone"), {"records": scenario.static_records()})


def run_knot(place, template, zone, **values):
    """Starts Knot with the given zone text; `values` are additional template values."""
    port, directory = ports.free(ports.DNS), place.subdirectory("knot")
    values = {
        **values,
        "port": port,
        "directory": directory,
        "user": f"{getpass.getuser()}:{grp.getgrgid(os.getgid()).gr_name}",
        "zone": place.write("knot/bench.example.zone", zone),
    }
    config = place.write("knot/knot.conf", fill_peer(template, values))
    started = place.start("knot", ["knotd", "-c", config, "-s", directory / "knot.sock"])
    return DnsServer("knot", conditions.tool_version(["knotd", "--version"]), started, port)


def start_opengslb(binary, place, scenario, open_ports):
    port, directory = ports.free(ports.DNS), place.subdirectory("opengslb")
    form = "      - {{address: {}, port: {}, weight: 100, service: app0.bench.example}}"
    servers = "\n".join(form.format(host, open_ports.port) for host in open_ports.hosts[: scenario.backends])
    values = {"port": port, "directory": directory, "servers": servers}
    config = place.write("opengslb/config.yaml", fill_peer(scenario.template("opengslb.yaml"), values))
    # OpenGSLB rejects a configuration file that other users may read.
    config.chmod(0o600)
    started = place.start("opengslb", [binary, "--config", config])
    return DnsServer("opengslb", conditions.tool_version([binary, "--version"]), started, port)
