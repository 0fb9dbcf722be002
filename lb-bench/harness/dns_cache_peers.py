"""The compared forwarders with a cache: how each is started, with files in lb-bench/peers/dns/cache."""

import re
import shutil
import sqlite3
import subprocess
from dataclasses import dataclass
from typing import Callable, Optional

from harness import ballast, conditions, dns_peers, loopback, ports, query_logs
from harness.peers import cores
from harness.template import fill_peer
from harness.workplace import BENCH, Failure, Started, await_true

_FILES = "dns/cache/"
_HOW_TO_GET_ENT_DNS = "pass its binary with --ent-dns (cargo build --release in github.com/EmotionalAmo/Ent-DNS)"
_HOW_TO_GET_COREDNS = "pass its binary with --coredns (github.com/coredns/coredns/releases)"


@dataclass(frozen=True)
class Lookups:
    """The counters of a forwarder since its start."""

    hits: float
    misses: float
    # The counters of the query log, if they are read.
    logged: Optional[query_logs.Logged] = None


@dataclass(frozen=True)
class Forwarder:
    """A running forwarder; `lookups` returns its counters, None if they are not accessible."""

    name: str
    version: str
    started: Started
    port: int
    lookups: Optional[Callable[[], Lookups]] = None
    # Whether a JIT compiles the code of the forwarder, so that it needs a warm-up.
    compiles: bool = False
    # The query log setting; only for Ballast.
    log: Optional[query_logs.QueryLog] = None


def start_upstream(place):
    """Starts the authoritative upstream of all forwarders; returns its port."""
    if not shutil.which("knotd"):
        raise Failure("knotd, the upstream of all forwarders, is missing (apt-get install knot)")
    zone = (BENCH / "peers" / _FILES / "zone").read_text()
    return dns_peers.run_knot(place, _FILES + "knot.conf", zone, cores=cores()).port


def known(javas, before=None, coredns=None, ent_dns=None, logs=()):
    """Returns {name: (start function, availability check, how to install)}: Ballast on each Java, then with each log,
    then the peers."""
    ours = {
        dns_peers.name_on("ballast", java, javas): (_on(java, dns_peers.name_on("ballast", java, javas)), lambda: True, "")
        for java in javas
    }
    for log in logs:
        ours[log.peer] = (_logging(log, javas[0]), lambda: True, "")
    if before:
        launcher = str(before.resolve() / "bin" / "lb")
        ours["before"] = (lambda *arguments: start_ballast(*arguments, name="before", launcher=launcher), lambda: True, "")
    return {
        **ours,
        "dnsdist": (start_dnsdist, lambda: shutil.which("dnsdist"), "apt-get install dnsdist"),
        "unbound": (start_unbound, lambda: shutil.which("unbound"), "apt-get install unbound"),
        "coredns": (lambda *arguments: start_coredns(coredns, *arguments), lambda: coredns, _HOW_TO_GET_COREDNS),
        "ent-dns": (lambda *arguments: start_ent_dns(ent_dns, *arguments), lambda: ent_dns, _HOW_TO_GET_ENT_DNS),
    }


def _on(java, name):
    return lambda place, upstream: start_ballast(place, upstream, name, java)


def _logging(log, java):
    return lambda place, upstream: start_ballast(place, upstream, log.peer, java, log=log)


def start_ballast(place, upstream, name="ballast", java=None, java_options=(), launcher=None, log=query_logs.DEFAULT):
    port, dashboard_port = ports.free(ports.DNS), ports.free()
    values = {"port": port, "dashboard_port": dashboard_port, "upstream_port": upstream}
    config = log.added_to(fill_peer(_FILES + "ballast.yaml", values), place.directory / f"{name}.queries")
    running = ballast.Ballast(place, config, port, dashboard_port, java_options, name, java, launcher=launcher)
    server = dns_peers.serving(running, java)

    def lookups():
        return ballast_lookups(_metrics(running.dashboard + "/metrics"), log)

    return Forwarder(name, server.version, server.started, port, lookups, compiles=True, log=log)


def ballast_lookups(text, log):
    """Reads Ballast's metrics; for the log, written entries at its destination and dropped ones. Old versions have no
    log."""

    def counted(metric, label, value):
        return sum_of(text, f'ballast_dns_{metric}_total{{{label}="{value}"}}')

    logged = None
    if "ballast_dns_logged_total" in text:
        dropped = counted("log_dropped", "at", "queue") + counted("log_dropped", "at", "file")
        logged = query_logs.Logged(counted("logged", "to", log.to), dropped)
    return Lookups(counted("forwarded", "outcome", "hit"), counted("forwarded", "outcome", "miss"), logged)


def start_dnsdist(place, upstream):
    port, statistics_port = ports.free(ports.DNS), ports.free()
    local = f'addLocal("127.0.0.1:{port}", {{reusePort=true}})'
    values = {
        "locals": "\n".join([local] * cores()),
        "upstream_port": upstream,
        "statistics_port": statistics_port,
    }
    config = place.write("dnsdist.conf", fill_peer(_FILES + "dnsdist.conf", values))
    started = place.start("dnsdist", ["dnsdist", "--supervised", "--disable-syslog", "-C", config])

    def lookups():
        return _counted(f"http://127.0.0.1:{statistics_port}/metrics", "dnsdist_cache_hits", "dnsdist_cache_misses")

    return Forwarder("dnsdist", conditions.tool_version(["dnsdist", "--version"]), started, port, lookups)


def start_unbound(place, upstream):
    port, directory = ports.free(ports.DNS), place.subdirectory("unbound")
    values = {
        "port": port,
        "cores": cores(),
        "directory": directory,
        "upstream_port": upstream,
        "control": directory / "control.sock",
    }
    config = place.write("unbound.conf", fill_peer(_FILES + "unbound.conf", values))
    started = place.start("unbound", ["unbound", "-d", "-p", "-c", config])

    def lookups():
        done = subprocess.run(
            ["unbound-control", "-c", str(config), "stats_noreset"], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise Failure(f"unbound-control exited with {done.returncode}: {done.stderr.strip()}{done.stdout.strip()}")
        return unbound_lookups(done.stdout)

    return Forwarder("unbound", conditions.tool_version(["unbound", "-V"]), started, port, lookups)


def unbound_lookups(text):
    """Reads the output of `unbound-control stats_noreset`."""
    counted = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    return Lookups(float(counted["total.num.cachehits"]), float(counted["total.num.cachemiss"]))


def start_coredns(binary, place, upstream):
    port, statistics_port = ports.free(ports.DNS), ports.free()
    values = {"port": port, "upstream_port": upstream, "statistics_port": statistics_port}
    config = place.write("coredns.conf", fill_peer(_FILES + "coredns.conf", values))
    started = place.start("coredns", [binary, "-quiet", "-conf", config])

    def lookups():
        # CoreDNS counts a miss once for each type of cached answer, but each request only once.
        url = f"http://127.0.0.1:{statistics_port}/metrics"
        counted = _counted(url, "coredns_cache_hits_total", "coredns_cache_requests_total")
        return Lookups(counted.hits, counted.misses - counted.hits)

    return Forwarder("coredns", conditions.tool_version([binary, "-version"]), started, port, lookups)


def start_ent_dns(binary, place, upstream):
    """Starts ent-dns, whose counters are unknown, because its metrics require a login."""
    port, api_port, database = ports.free(ports.DNS), ports.free(), place.subdirectory("ent-dns") / "ent-dns.db"
    text = fill_peer(_FILES + "ent-dns.env", {"port": port, "api_port": api_port, "database": database})
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    # ent-dns always logs several lines per query; the disk writes must not be measured.
    command = ["sh", "-c", f'exec "{binary}" > /dev/null']
    started = place.start("ent-dns", command, dict(line.split("=", 1) for line in lines))
    await_true(lambda: loopback.status(f"http://127.0.0.1:{api_port}/") is not None, "ent-dns", 10, started)
    # Added before the first query, because ent-dns caches the identity of a client for a minute.
    with sqlite3.connect(database, timeout=10) as opened:
        opened.execute(
            "INSERT INTO clients (id, name, identifiers, upstreams, created_at, updated_at)"
            " VALUES ('bench', 'bench', '[\"127.0.0.1\"]', ?, '', '')",
            (f'["127.0.0.1:{upstream}"]',),
        )
    return Forwarder("ent-dns", "version unknown", started, port)


def _counted(url, hits, misses):
    text = _metrics(url)
    return Lookups(sum_of(text, hits), sum_of(text, misses))


def _metrics(url):
    body = loopback.get(url)
    if body is None:
        raise Failure(f"{url} does not respond")
    return body.decode()


def sum_of(text, metric):
    """Returns the sum over all lines of a metric with the given labels."""
    name = re.escape(metric) + (r"" if metric.endswith("}") else r"(?:\{[^}]*\})?")
    found = re.findall(rf"^{name} (\S+)$", text, re.MULTILINE)
    return sum(float(value) for value in found)
