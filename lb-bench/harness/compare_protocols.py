"""compare https, h2, tcp, grpc: like compare http, with the client tool of the protocol."""

import shutil
import socket
import ssl
from dataclasses import replace

from harness import conditions, measure, peers, ports, report, rounds
from harness.protocol_scenarios import SCENARIOS
from harness.samples import Sample
from harness.workplace import Failure, run_scenarios, say

PEERS = ("haproxy", "nginx")
_TCP_PEERS = ("haproxy", "haproxy-splice", "nginx")
# Native code needs no JIT warm-up, only its connections.
_NATIVE_WARMUP_SECONDS = 2


def run(work, options):
    """Returns (report, whether every run was valid)."""
    for name in options.scenario:
        for load in SCENARIOS[work][name].loads:
            if not load.is_installed():
                raise Failure(f"{load.version_command[0]} is missing ({load.how_to_get})")
    return run_scenarios(work, options.scenario, lambda place, name: _scenario(place, work, SCENARIOS[work][name], options))


def peers_of(work):
    """Returns the default peers."""
    return list(_TCP_PEERS if work == "tcp" else PEERS)


def names(chosen, without):
    """Returns the peers to measure: Ballast, unless it is left out, and the chosen ones."""
    return [name for name in dict.fromkeys(["ballast", *chosen]) if name not in without]


def _scenario(place, work, scenario, options):
    facts = conditions.gather()
    served_by = scenario.start_backends(place)
    running, missing = rounds.start(
        peers.with_before(_known(scenario), options.before),
        names([*([peers.BEFORE] if options.before else []), *(scenario.own_peers or options.peers)], options.without),
        lambda starter: _counted(scenario, starter(place, scenario, served_by)),
        lambda peer: scenario.answers(peer.port),
    )
    if not running:
        raise Failure("no peer to measure")
    facts += [(peer.name, peer.version + _agreed(scenario, peer)) for peer in running]
    facts += list({_tool(load): None for load in scenario.loads}) + [("Not compared", m) for m in missing]
    _warm_up(place, scenario, running, options.warmup)

    def one(peer, load, number):
        return closed_loop(place, peer, scenario, served_by, load, options.seconds, number)

    samples = rounds.run(running, scenario.loads, options.rounds, one, scenario.unit)
    return _report(work, scenario, facts, options, samples), not samples.faulty()


def closed_loop(place, running, scenario, served_by, load, seconds, number):
    """Runs the load against one balancer and returns a sample."""
    watch = measure.CostWatch(running, served_by)
    seen = load.run(place, running.port, seconds)
    figures, count_faults = watch.end(seen, load.in_flight)
    figures["rate"] = scenario.rate(seen)
    return Sample(running.name, str(load), number, figures, measure.client_faults(seen) + count_faults)


def _known(scenario):
    if scenario.directory != "tcp":
        return peers.KNOWN
    return {
        **peers.KNOWN,
        "haproxy-splice": (peers.start_haproxy_splice, *peers.KNOWN["haproxy"][1:]),
        "nginx": (peers.start_nginx, _has_stream_module, "apt-get install nginx-light libnginx-mod-stream"),
    }


def _has_stream_module():
    return shutil.which("nginx") and peers.nginx_stream_module()


def _counted(scenario, peer):
    return peer if scenario.is_counted else replace(peer, served=None)


def _agreed(scenario, peer):
    """Returns the protocol that this peer selects from a client that offers everything."""
    if not scenario.uses_tls:
        return ""
    context = ssl._create_unverified_context()
    context.set_alpn_protocols(["h2", "http/1.1"])
    with socket.create_connection((ports.LOOPBACK, peer.port), timeout=5) as plain:
        with context.wrap_socket(plain, server_hostname="localhost") as secured:
            return f"; {secured.version()}, {secured.cipher()[0]}, {secured.selected_alpn_protocol() or 'no ALPN'}"


def _tool(load):
    return load.version_command[0], conditions.tool_version(list(load.version_command))


def _warm_up(place, scenario, running, seconds):
    for peer in running:
        for load in scenario.loads:
            length = seconds if peer.name.startswith("ballast") else min(seconds, _NATIVE_WARMUP_SECONDS)
            if length:
                say(f"warming up {peer.name}, {load}, {length} s")
                load.run(place, peer.port, length)


def _report(work, scenario, facts, options, samples):
    tools = "; ".join(dict.fromkeys(load.tool for load in scenario.loads))
    parts = [
        f"# compare {work}: {scenario.name}",
        f"{scenario.about}. Rounds: {options.rounds}, of {options.seconds} s; a closed loop by {tools}. Client, balancer"
        " and backends share the cores. Medians, with lowest and highest in brackets; ratios are computed round by round.",
        report.conditions(facts),
        report.excluded(samples),
        "## Figures",
        report.medians(samples, scenario.unit),
        report.ratios(samples, scenario.bars, scenario.unit, scenario.figures),
        "## Every run",
        report.every_run(samples, scenario.unit),
    ]
    return "\n\n".join(part for part in parts if part)
