"""The option --load of lb-bench/descriptors: more concurrent requests than file descriptors, with and without limits."""

from dataclasses import dataclass

from harness import backends, ballast, conditions, h2load, ports, procfs, report, wrk
from harness.peers import ballast_version
from harness.workplace import ROOT, Failure, Workplace, say

_BACKENDS = 4
_DELAY_MS = 20
_WARM_UP_SECONDS = 4
# Few at once, so that the connections of the warm-up leave descriptors free.
_WARM_UP_REQUESTS = 40
_CONNECTIONS = 10
# More than the run needs for clients, an equal number of backend connections, and the files of the process.
_PLENTY = 20_000


@dataclass(frozen=True)
class LoadCase:
    """A load tool, the protocol of the listener, and the limit of connections per backend; 0 for none."""

    name: str
    client: str
    listener: str
    max_connections: int


CASES = (
    LoadCase("HTTP/2", "h2load", "http", 0),
    LoadCase("HTTP/2, limit", "h2load", "http", 500),
    LoadCase("HTTP/1.1", "wrk", "http", 0),
    LoadCase("HTTP/1.1, limit", "wrk", "http", 500),
    LoadCase("TCP", "wrk", "tcp", 0),
)


def run(options):
    """Returns (report, True): the figures have no bar."""
    cases = [case for case in CASES if not options.cases or case.name in options.cases.split(";")]
    rows, version = [], ""
    with Workplace() as place:
        facts = conditions.gather()
        servers = backends.start(place, count=_BACKENDS, slow=_BACKENDS, slow_ms=_DELAY_MS)
        for case in cases:
            for limit in (options.limit, _PLENTY):
                say(f"{case.name}: {options.clients} concurrent requests, {limit} descriptors")
                row, version = _measure(place, servers, case, limit, options)
                rows.append(row)
        facts.append(("ballast", version))
    return "\n\n".join(
        [
            "# descriptors --load",
            f"{options.clients} concurrent requests for {options.seconds} s to {_BACKENDS} backends that answer after"
            f" {_DELAY_MS} ms, with {options.limit} and {_PLENTY:,} file descriptors. HTTP/2: on {_CONNECTIONS} connections;"
            " HTTP/1.1 and TCP: one on each connection, as far as the listener accepts them. The limit is"
            " `connections.max_connections` of the pool, whose queue has room for all requests. CPU is that of Ballast for"
            " each answered request.",
            report.conditions(facts),
            report.table(
                ["case", "descriptors", "requests/s", "CPU µs", "p50 ms", "p99 ms", "error responses", "timeouts", "CPU share"],
                rows,
            ),
        ]
    ), True


def _measure(place, servers, case, limit, options):
    values = {"protocol": case.listener, "max_connections": case.max_connections, "queue": options.clients}
    config, port, dashboard = ballast.config("slow/descriptor-load.yaml", values, servers)
    command = " ".join(map(str, ballast.lb()))
    launcher = place.write("limited", f'#!/bin/bash\nulimit -n {limit}\nexec {command} "$@"\n')
    launcher.chmod(0o755)
    running = ballast.Ballast(place, config, port, dashboard, launcher=launcher)
    try:
        _load(place, case, port, _WARM_UP_REQUESTS, _WARM_UP_SECONDS)
        begin = procfs.cpu_seconds(running.started.pid)
        load = _load(place, case, port, options.clients, options.seconds)
        cpu = procfs.cpu_seconds(running.started.pid) - begin
        running.started.require_running()
        return _row(case, limit, load, cpu), ballast_version(running)
    finally:
        running.started.stop()


def _load(place, case, port, requests, seconds):
    url = f"http://{ports.LOOPBACK}:{port}/"
    if case.client == "wrk":
        return wrk.run(url, requests, seconds, timeout=2)
    if not h2load.is_installed():
        raise Failure("h2load is missing (apt-get install nghttp2-client)")
    return h2load.run(place, url, _CONNECTIONS, requests // _CONNECTIONS, seconds)


def _row(case, limit, load, cpu):
    answered = max(1, load.requests)
    return [
        case.name,
        f"{limit:,}",
        f"{load.rate:,.0f}",
        f"{cpu / answered * 1e6:,.1f}",
        f"{load.p50:,.1f}",
        f"{load.p99:,.1f}",
        f"{load.errors.get('status', 0):,}",
        f"{load.errors.get('timeout', 0):,}",
        f"{cpu / load.seconds:.2f}",
    ]
