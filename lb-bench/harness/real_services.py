"""The program behind lb-bench/real-services: third-party clients and servers over TCP and UDP, directly and through
Ballast."""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from harness import ballast, conditions, loopback, ports, report, services_datagrams, services_postgresql, services_redis, services_streams
from harness.template import fill_peer
from harness.workplace import Failure, Workplace, run_program, say


@dataclass(frozen=True)
class Service:
    """`start` starts it on a port; `run_client` runs its client against a port and returns a SessionResult; `missing` returns what is
    not installed. `resets_one_way` is set if connections that carry data in one direction end by a reset: they count as failures, see
    docs/sessions.md."""

    protocols: tuple
    version: Callable
    missing: Callable
    start: Callable
    run_client: Callable
    resets_one_way: bool = False


SERVICES = {
    "postgresql": Service(
        ("tcp",), services_postgresql.version, services_postgresql.missing, services_postgresql.start, services_postgresql.run_client
    ),
    "redis": Service(("tcp",), services_redis.version, services_redis.missing, services_redis.start, services_redis.run_client),
    "iperf3": Service(
        ("tcp", "udp"),
        services_streams.version,
        services_streams.missing,
        services_streams.start,
        services_streams.run_client,
        resets_one_way=True,
    ),
    "dns": Service(
        ("tcp", "udp"), services_datagrams.version, services_datagrams.missing, services_datagrams.start, services_datagrams.run_client
    ),
}


# The sum of the other failures of a pool.
POOL_ERRORS = "ballast_pool_errors_total"
FAILURE_METRICS = (POOL_ERRORS, "ballast_listener_failures_total", "ballast_backend_failures_total")
RESET_KINDS = ('kind="reset"', 'kind="response_cut"')
# A client that closes before it has read everything resets its connection; pgbench sometimes does.
CLIENT_GONE = 'kind="client_gone"'


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("real-services", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="real-services", description="PostgreSQL, Redis, iperf3 and DNS through TCP and UDP listeners, and directly."
    )
    parser.add_argument(
        "--services", type=lambda text: text.split(","), default=list(SERVICES), help=f"of {', '.join(SERVICES)} (all)"
    )
    parser.add_argument("--seconds", type=int, default=5, help="duration of each load in seconds (%(default)s)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


def _run(options):
    unknown = [name for name in options.services if name not in SERVICES]
    if unknown:
        raise Failure(f"--services: {unknown[0]} (expected: of {', '.join(SERVICES)})")
    facts, rows, faults, talked = conditions.gather(), [], [], 0
    for name in options.services:
        service = SERVICES[name]
        missing = service.missing()
        if missing:
            say(f"{name}: SKIPPED, {missing}")
            facts.append(("Not tried", f"{name}: {missing}"))
            continue
        say(name)
        facts.append((name, service.version()))
        with Workplace() as place:
            direct, through = _both(place, name, service, options.seconds)
        talked += 1
        for label in direct.figures:
            rows.append([name, label, direct.figures[label], through.figures[label]])
        faults += [f"{name}, {where}: {fault}" for where, run_client in (("direct", direct), ("through Ballast", through)) for fault in run_client.faults]
        if direct.digest != through.digest:
            faults.append(f"{name}: the data read directly and through Ballast differ")
    return _report(facts, rows, faults), bool(talked) and not faults


def _both(place, name, service, seconds):
    port = ports.free()
    service.start(place, port)
    direct = service.run_client(place, port, seconds)
    running = _in_front(place, service, port)
    through = service.run_client(place, running.port, seconds)
    running.started.require_running()
    backend = running.stats()["backends"][0]
    if not backend["total_req_count"]:
        through.faults.append("Ballast counted no connection: the client bypassed it")
    errors = _errors(running, service)
    if errors:
        through.faults.append(f"Ballast counted sessions of good clients as failed: {errors}")
    left = backend["in_flight"]
    if left and "udp" not in service.protocols:
        through.faults.append(f"{left} connections are still counted after their close")
    return direct, through


def _errors(running, service):
    """Returns the metrics of failures that are not zero, although no client and no service of these runs fails."""
    lines = [line for line in loopback.get(running.dashboard + "/metrics").decode().splitlines() if line.startswith(FAILURE_METRICS)]
    if not lines:
        raise Failure(f"/metrics has none of {', '.join(FAILURE_METRICS)}")
    failures = [line for line in lines if float(line.rsplit(" ", 1)[1]) > 0 and CLIENT_GONE not in line]
    if service.resets_one_way:
        failures = [line for line in failures if not line.startswith(POOL_ERRORS) and not any(kind in line for kind in RESET_KINDS)]
    return ", ".join(failures)


def _in_front(place, service, service_port):
    port, dashboard_port = ports.free(), ports.free()
    lines = [
        f"  - {{name: {protocol}, bind: '{ports.LOOPBACK}:{port}', protocol: {protocol}, pool: service}}"
        for protocol in service.protocols
    ]
    values = {"listeners": "\n".join(lines), "service_port": service_port, "dashboard_port": dashboard_port}
    return ballast.Ballast(place, fill_peer("services/ballast.yaml", values), port, dashboard_port)


def _report(facts, rows, faults):
    verdict = "\n".join(f"- **{fault}**" for fault in faults) if faults else "No fault; the data read directly and through Ballast are equal."
    return "\n\n".join(
        [
            "# real-services",
            "Ballast with default settings, with TCP listeners, and UDP ones if the service supports it, and one backend. Client,"
            " Ballast and service share the cores: the figures show that it works, not how fast it is.",
            report.conditions(facts),
            report.table(["service", "figure", "directly", "through Ballast"], rows),
            verdict,
        ]
    )
