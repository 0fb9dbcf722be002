"""The compared HTTP balancers: how each is started, with files in lb-bench/peers."""

import os
import shutil
from dataclasses import dataclass
from typing import Callable, Optional

from harness import ballast, certificate, conditions, java, ports
from harness.template import fill_peer
from harness.workplace import BENCH, Failure, Started


_STREAM_MODULES = ("/usr/lib/nginx/modules/ngx_stream_module.so", "/usr/lib64/nginx/modules/ngx_stream_module.so")


@dataclass(frozen=True)
class Running:
    """A running balancer. `served` returns how many requests it sent to backends, if it counts them."""

    name: str
    version: str
    started: Started
    port: int
    served: Optional[Callable[[], int]] = None
    start_seconds: Optional[float] = None
    # Its TLS port, if it also has a plain one.
    tls_port: Optional[int] = None


def cores():
    return len(os.sched_getaffinity(0))


def start_ballast(place, scenario, backends, name="ballast", listener_lines="", launcher=None):
    template = scenario.template("ballast.yaml")
    values = _wanted(template, place)
    text, port, dashboard_port = ballast.config(template, values, backends)
    text = text.replace("    pool: web\n", "    pool: web\n" + listener_lines, 1)
    running = ballast.Ballast(place, text, port, dashboard_port, name=name, launcher=launcher)
    served = running.served if backends else None
    version = ballast_version(running)
    return Running(name, version, running.started, port, served, running.start_seconds, values.get("tls_port"))


def start_ballast_off(place, scenario, backends):
    """Starts a Ballast that adds no forwarding headers, to measure the cost of these headers."""
    return start_ballast(place, scenario, backends, "ballast-off", "    forwarding: off\n")


def ballast_version(running):
    command = [running.launcher, "version"] if running.launcher else ballast.lb("version")
    return f"{conditions.tool_version(command)}, Java {java.version(running.started.pid)}"


def _wanted(template, place):
    """Returns the template values besides port and backends; a peer with default settings needs none."""
    text = (BENCH / "peers" / template).read_text()
    offered = {
        "cores": cores,
        "tls_port": ports.free,
        "stream_module": nginx_stream_module,
        "certificate": lambda: certificate.make(place).certificate,
        "key": lambda: certificate.make(place).key,
        "both": lambda: certificate.make(place).both,
    }
    return {name: value() for name, value in offered.items() if f"{{{{{name}}}}}" in text}


def nginx_stream_module():
    """Returns nginx's stream module, from its default place or NGINX_STREAM_MODULE; None if it is missing."""
    places = [os.environ.get("NGINX_STREAM_MODULE", ""), *_STREAM_MODULES]
    return next((path for path in places if os.path.exists(path)), None)


def start_haproxy(place, scenario, backends, name="haproxy", file="haproxy.cfg"):
    port = ports.free()
    servers = [f"    server {backend.name} {backend.address}" for backend in backends]
    template = scenario.template(file)
    values = _wanted(template, place)
    text = fill_peer(template, {"port": port, **values, **_listed(servers)})
    started = place.start(name, ["haproxy", "-db", "-f", place.write(file, text)])
    version = conditions.tool_version(["haproxy", "-v"])
    return Running(name, version, started, port, tls_port=values.get("tls_port"))


def start_haproxy_splice(place, scenario, backends):
    """Starts a HAProxy that splices in the kernel, to measure the effect of splicing."""
    return start_haproxy(place, scenario, backends, "haproxy-splice", "haproxy-splice.cfg")


def start_nginx(place, scenario, backends):
    port = ports.free()
    servers = [f"        server {backend.address};" for backend in backends]
    directory = place.subdirectory("nginx")
    template = scenario.template("nginx.conf")
    values = {"port": port, "directory": directory, **_wanted(template, place), **_listed(servers)}
    config = place.write("nginx.conf", fill_peer(template, values))
    started = place.start("nginx", ["nginx", "-e", "stderr", "-c", config])
    return Running("nginx", conditions.tool_version(["nginx", "-v"]), started, port)


def start_divisor(place, scenario, backends):
    port = ports.free()
    urls = [f"  - url: {backend.address}" for backend in backends]
    values = {"port": port, "dashboard_port": ports.free(), **_listed(urls)}
    config = place.write("divisor.yaml", fill_peer(scenario.template("divisor.yaml"), values))
    started = place.start("divisor", [os.environ["DIVISOR"], "--config", config])
    return Running("divisor", os.environ.get("DIVISOR_VERSION", "version unknown"), started, port)


def start_netty_codec(place, scenario, backends):
    """A server on Netty's HTTP/2 codec, which only gives a fixed response."""
    port = ports.free()
    started = place.start("netty-codec", java.command("io.ballast.bench.load.NettyHttp2Server", str(port), str(cores())))
    return Running("netty-codec", f"Java {java.version(started.pid)}", started, port)


# The name of another checkout's Ballast, see with_before.
BEFORE = "ballast-before"

# Name: start function, availability check, how to install.
KNOWN = {
    "ballast": (start_ballast, lambda: True, ""),
    "ballast-off": (start_ballast_off, lambda: True, ""),
    "haproxy": (start_haproxy, lambda: shutil.which("haproxy"), "apt-get install haproxy"),
    "nginx": (start_nginx, lambda: shutil.which("nginx"), "apt-get install nginx-light"),
    "netty-codec": (start_netty_codec, lambda: True, ""),
    "divisor": (start_divisor, lambda: os.environ.get("DIVISOR"), "set DIVISOR to its binary"),
}


def with_before(known, directory):
    """Returns the known balancers and, if a directory is given, the Ballast of that checkout under the name BEFORE."""
    if directory is None:
        return known
    launcher = directory.resolve() / "bin" / "lb"
    if not launcher.exists():
        raise Failure(f"{launcher} (expected: the launcher of another checkout)")

    def start(place, scenario, backends):
        return start_ballast(place, scenario, backends, BEFORE, launcher=str(launcher))

    return {**known, BEFORE: (start, lambda: True, "")}


def _listed(lines):
    return {"backends": "\n".join(lines)} if lines else {}
