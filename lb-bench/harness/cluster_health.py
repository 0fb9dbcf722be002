"""Measures how long the decision of one node about a backend takes until it has its effect on all nodes."""

import socket
import subprocess

from harness import ballast, conditions, ports, report
from harness.dns_failover import since
from harness.workplace import Failure, Workplace, await_true, say

_P50_BAR_MILLIS, _P99_BAR_MILLIS = 100, 300
_P50_AIM_MILLIS, _P99_AIM_MILLIS = 30, 150
_CHANGE_SECONDS = 30
_START_SECONDS = 120

_CONFIG = """listeners: [{{name: web, bind: "127.0.0.1:{port}", pool: web}}]
dashboard: {{bind: "127.0.0.1:{dashboard_port}", ready_when: started}}
data_dir: {directory}/{name}
event_loops: 1
cluster:
  name: bench
  bind: 127.0.0.1:{cluster_port}
  peers: [{peers}]
  voters: [n1]
  tls: {{certificate: {directory}/{name}.crt, key: {directory}/{name}.key, ca: {directory}/ca.crt}}
pools:
  web:
    backends: ["{backend}"]
    health: {{type: tcp, interval: 100ms, fast_interval: 100ms, rise: 1, fall: 1, quorum: majority, voters: 1}}
"""


class Backend:
    """Accepts connections, or refuses them, on one port."""

    def __init__(self):
        self._port = ports.free()
        self.address = f"{ports.LOOPBACK}:{self._port}"
        self._socket = None

    def accept(self):
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind((ports.LOOPBACK, self._port))
        self._socket.listen(4096)

    def refuse(self):
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def run(options):
    ballast.build()
    facts = [*conditions.gather(), ("Nodes", f"{options.nodes} on the loopback interface, one of them checks the backend")]
    backend = Backend()
    backend.accept()
    try:
        with Workplace() as place:
            nodes = _start(place, options.nodes, backend.address)
            _await_state(nodes, "up")
            _await_one_voter(nodes)
            say(f"measuring {options.changes} changes")
            millis = [_change(nodes, backend, is_up=bool(n % 2)) for n in range(options.changes)]
    finally:
        backend.refuse()
    return _report(facts, options.nodes, millis), is_met(millis)


def _start(place, count, backend):
    directory = place.directory
    _lb("cluster", "init", "bench", "--directory", directory)
    names = [f"n{number}" for number in range(1, count + 1)]
    cluster_ports = {name: ports.free() for name in names}
    nodes = []
    for name in names:
        _lb("cluster", "cert", name, "--directory", directory)
        port, dashboard_port = ports.free(), ports.free()
        text = _CONFIG.format(
            name=name,
            port=port,
            dashboard_port=dashboard_port,
            directory=directory,
            cluster_port=cluster_ports[name],
            peers=", ".join(f"127.0.0.1:{each}" for each in cluster_ports.values()),
            backend=backend,
        )
        nodes.append(ballast.Ballast(place, text, port, dashboard_port, name=name))
    return nodes


def _lb(*words):
    done = subprocess.run(ballast.lb(*words), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"lb {' '.join(map(str, words))}: {done.stderr}")


def _backends(nodes):
    return [node.stats()["backends"][0] for node in nodes]


def _await_state(nodes, state):
    await_true(lambda: all(each["state"] == state for each in _backends(nodes)), f"state {state} on all nodes", _CHANGE_SECONDS)


def _await_one_voter(nodes):
    """Waits until one node checks the backend, and all others use its vote."""

    def has_one():
        metrics = [node.metric("ballast_cluster_unchecked_backends") for node in nodes]
        return sum(metrics) == len(nodes) - 1

    await_true(has_one, "one node that checks", _START_SECONDS)


def _change(nodes, backend, is_up):
    """Returns the milliseconds from the first decision to the last."""
    if is_up:
        backend.accept()
    else:
        backend.refuse()
    _await_state(nodes, "up" if is_up else "down")
    return spread([since(each) for each in _backends(nodes)])


def spread(times):
    return (max(times) - min(times)) * 1000


def share(values, part):
    """Returns the value that this part of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def is_met(millis):
    return share(millis, 0.5) <= _P50_BAR_MILLIS and share(millis, 0.99) <= _P99_BAR_MILLIS


def _report(facts, nodes, millis):
    rows = [
        [f"health change visible on all of {nodes} nodes, {label}", f"{share(millis, part):.1f} ms", f"{bar} ms", f"{aim} ms"]
        for label, part, bar, aim in (
            ("p50", 0.5, _P50_BAR_MILLIS, _P50_AIM_MILLIS),
            ("p99", 0.99, _P99_BAR_MILLIS, _P99_AIM_MILLIS),
        )
    ]
    rows.append([f"the same, slowest of {len(millis)}", f"{max(millis):.1f} ms", "", ""])
    return f"# Health of backends across nodes\n\n{report.conditions(facts)}\n\n{report.table(['measured', 'result', 'bar', 'aim'], rows)}"
