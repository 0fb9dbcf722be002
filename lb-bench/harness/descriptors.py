"""The program behind lb-bench/descriptors: more idle clients than the process has file descriptors."""

import argparse
import http.client
import socket
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from harness import backends, ballast, conditions, crowds, descriptor_load, ports, procfs, report
from harness.peers import ballast_version
from harness.workplace import ROOT, Workplace, await_true, run_program, say

_MAX_LOG_BYTES = 20_000
_MAX_CPU_SHARE = 0.1
_RECOVERY_SECONDS = 10
_PAUSE_SECONDS = 0.02


@dataclass(frozen=True)
class DescriptorRun:
    """The figures while there were too many clients, and after they had left."""

    log_bytes: int
    cpu_share: float
    requests: int
    failed: int
    backends_down: int
    recovery_seconds: float | None


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("descriptors", lambda: (descriptor_load.run if options.load else _run)(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="descriptors",
        description="Starts Ballast with few file descriptors, and opens more idle connections than it can hold.",
    )
    parser.add_argument("--limit", type=int, default=300, help="ulimit -n (%(default)s)")
    parser.add_argument("--clients", type=int, default=400, help="idle connections, or concurrent requests with --load (%(default)s)")
    parser.add_argument("--seconds", type=int, default=10, help="duration of these connections in seconds (%(default)s)")
    parser.add_argument("--transports", default=",".join(crowds.TRANSPORTS), help="(%(default)s)")
    parser.add_argument("--load", action="store_true", help="measure requests instead: as many at once as there are clients")
    names = "; ".join(case.name for case in descriptor_load.CASES)
    parser.add_argument("--cases", help=f"cases of --load, separated by semicolons: {names}")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


def _run(options):
    """Returns (report, whether there was no problem)."""
    rows, good = [], True
    with Workplace() as place:
        facts = conditions.gather()
        for transport in options.transports.split(","):
            say(f"{transport}: {options.clients} idle clients, {options.limit} descriptors")
            seen, version = _watch(place, transport, options)
            wrong = problems(seen)
            rows.append(_row(transport, seen, wrong))
            good &= not wrong
        facts.append(("ballast", version))
    return "\n\n".join(
        [
            "# descriptors",
            f"`ulimit -n {options.limit}`, and {options.clients} idle clients for {options.seconds} s."
            " An earlier client sends requests all the time; afterwards a new client does. Ballast with default settings.",
            report.conditions(facts),
            report.table(
                ["transport", "log bytes", "share of a core", "requests", "failed", "backends down", "new client after s", ""],
                rows,
            ),
        ]
    ), good


def _watch(place, transport, options):
    servers = backends.start(place, count=2)
    values = {"transport": transport, "grace": "2s"}
    config, port, dashboard = ballast.config("slow/descriptors.yaml", values, servers)
    launcher = place.write("limited", f'#!/bin/bash\nulimit -n {options.limit}\nexec {ROOT}/bin/lb "$@"\n')
    Path(launcher).chmod(0o755)
    running = ballast.Ballast(place, config, port, dashboard, name=f"ballast-{transport}", launcher=launcher)
    try:
        with _Client(port) as before:
            await_true(lambda: before.requests > 10, "the client to be served", 10, running.started)
            log, cpu, begin = _log_bytes(running), procfs.cpu_seconds(running.started.pid), time.monotonic()
            crowd = [socket.create_connection((ports.LOOPBACK, port)) for _ in range(options.clients)]
            time.sleep(options.seconds)
            running.started.require_running()
            share = (procfs.cpu_seconds(running.started.pid) - cpu) / (time.monotonic() - begin)
            down = sum(backend["state"] == "down" for backend in running.stats()["backends"])
            for client in crowd:
                client.close()
            recovery = _recovery(port)
        seen = DescriptorRun(_log_bytes(running) - log, share, before.requests, before.failed, down, recovery)
        return seen, ballast_version(running)
    finally:
        running.started.stop()
        for server in servers:
            server.started.stop()


def _log_bytes(running):
    return Path(running.started.log).stat().st_size


def _recovery(port):
    """Returns the seconds until a new client is served; None if it is not."""
    begin = time.monotonic()
    while time.monotonic() - begin < _RECOVERY_SECONDS:
        with _Client(port) as client:
            time.sleep(0.1)
            if client.requests > client.failed:
                return time.monotonic() - begin
    return None


class _Client:
    """Sends one request after the other on one connection. Use it as a context manager."""

    def __init__(self, port):
        self.requests = self.failed = 0
        self._port = port
        self._stopped = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        connection = http.client.HTTPConnection(ports.LOOPBACK, self._port, timeout=5)
        while not self._stopped and not self.failed:
            try:
                connection.request("GET", "/")
                response = connection.getresponse()
                response.read()
                self.failed += response.status != 200
            except (OSError, http.client.HTTPException):
                self.failed += 1
            self.requests += 1
            time.sleep(_PAUSE_SECONDS)
        connection.close()

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stopped = True
        self._thread.join()


def problems(seen):
    found = []
    if seen.log_bytes > _MAX_LOG_BYTES:
        found.append(f"{seen.log_bytes:,} bytes of log (expected: <= {_MAX_LOG_BYTES:,})")
    if seen.cpu_share > _MAX_CPU_SHARE:
        found.append(f"{seen.cpu_share:.2f} of a core (expected: <= {_MAX_CPU_SHARE:g})")
    if seen.failed or not seen.requests:
        found.append(f"{seen.failed} of {seen.requests} requests of the earlier client failed")
    if seen.backends_down:
        found.append(f"{seen.backends_down} backends down")
    if seen.recovery_seconds is None:
        found.append(f"a new client was not served within {_RECOVERY_SECONDS} s")
    return found


def _row(transport, seen, wrong):
    return [
        transport,
        f"{seen.log_bytes:,}",
        f"{seen.cpu_share:.2f}",
        str(seen.requests),
        str(seen.failed),
        str(seen.backends_down),
        "never" if seen.recovery_seconds is None else f"{seen.recovery_seconds:.1f}",
        f"**{'; '.join(wrong)}**" if wrong else "met",
    ]
