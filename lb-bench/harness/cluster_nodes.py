"""Whole nodes of a cluster, one in each network namespace, and their backends in another namespace."""

import signal
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from harness import ballast, namespace_sockets, procfs
from harness.dns_failover import since
from harness.namespaces import address
from harness.workplace import Failure, await_true

DASHBOARD, DNS, CLUSTER = 8001, 5300, 7946
WEB, SITE = 9000, 9100
# The addresses of the backends of the pool `sites`.
SITES = [f"10.77.100.{n}" for n in range(1, 21)]
NAME = "www.bars.example"
READY_SECONDS = 400
_POLL_SECONDS = 0.02
_THREADS = 10

_CONFIG = """dashboard: {{bind: "127.0.0.1:{dashboard}", ready_when: started}}
data_dir: {directory}/{name}-{kind}
event_loops: 1
listeners: [{{name: web, bind: "0.0.0.0:8080", pool: web}}]
dns:
  listeners: [{{bind: "127.0.0.1:{dns}"}}]
  zones: [{{name: bars.example, services: [{{name: www, pool: sites, answers: 20}}]}}]
pools:
  web: {{backends: ["{backends}:{web}"], health: {{type: tcp, interval: 100ms, fast_interval: 100ms, rise: 1, fall: 1{web_quorum}}}}}
  sites: {{backends: [{sites}], health: {{type: tcp, interval: 100ms, fast_interval: 100ms, rise: 1, fall: 1}}}}
{more}
"""
_CLUSTER = """cluster:
  name: bench
  bind: {own}:{port}
  peers: [{peers}]
  voters: [{voters}]
  tls: {{certificate: {directory}/{name}.crt, key: {directory}/{name}.key, ca: {directory}/ca.crt}}
"""


def name(number):
    return f"n{number}"


class Nodes:
    """The nodes with numbers from 1 to `count`, the first of which are the voters. Host `count + 1` has the backends."""

    def __init__(self, place, network, count, voters, is_clustered=True, more=""):
        self._place, self._network, self._count, self._more = place, network, count, more
        self.numbers = list(range(1, count + 1))
        self.voters = self.numbers[:voters]
        self.backends_at = count + 1
        self._is_clustered = is_clustered
        self._running = {}
        self._starts = 0
        self._pool = ThreadPoolExecutor(_THREADS)
        if is_clustered and not (place.directory / "ca.crt").exists():
            _lb("cluster", "init", "bench", "--directory", place.directory)
            for number in self.numbers:
                _lb("cluster", "cert", name(number), "--directory", place.directory)

    def start(self, number):
        self._starts += 1
        text = self._config(number)
        file = self._place.write(f"{name(number)}.yaml", text)
        command = self._network.command(number, ballast.lb("run", file))
        self._running[number] = self._place.start(f"{name(number)}-{self._starts}", command)

    def _config(self, number):
        own, directory = name(number), self._place.directory
        backends = address(self.backends_at)
        text = _CONFIG.format(
            name=own,
            kind="node" if self._is_clustered else "single",
            directory=directory,
            dashboard=DASHBOARD,
            dns=DNS,
            backends=backends,
            web=WEB,
            web_quorum=", quorum: majority, voters: 1" if self._is_clustered else "",
            sites=", ".join(f'"{site}:{SITE}"' for site in SITES),
            more=self._more,
        )
        if not self._is_clustered:
            return text
        return text + _CLUSTER.format(
            own=address(number),
            port=CLUSTER,
            peers=", ".join(f"{address(peer)}:{CLUSTER}" for peer in self.numbers),
            voters=", ".join(map(name, self.voters)),
            directory=directory,
            name=own,
        )

    def start_all(self, at_once=8):
        """Starts all nodes, a few at a time, and waits until all are connected."""
        for begin in range(0, self._count, at_once):
            part = self.numbers[begin : begin + at_once]
            for number in part:
                self.start(number)
            for number in part:
                self.await_ready(number)
        if self._is_clustered:
            self.await_connected()

    def await_ready(self, number):
        running = self._running[number]
        await_true(lambda: self._status(number, "/readyz") == 200, f"{name(number)} to be ready", READY_SECONDS, running)

    def await_connected(self, seconds=READY_SECONDS):
        """Waits until all running nodes are connected with each other and have applied the same changes; returns the seconds."""
        began = time.monotonic()
        await_true(self._are_equal, "all nodes to be connected and equal", seconds)
        return time.monotonic() - began

    def _are_equal(self):
        views = self.each(lambda number: self.view(number))
        if None in views:
            return False
        return len({view["applied"] for view in views}) == 1 and all(
            len(view["nodes"]) == len(self._running) and view["has_majority"] and not view["pending"] for view in views
        )

    # ---- processes

    def running(self):
        return sorted(self._running)

    def kill(self, number):
        self._running.pop(number).kill()

    def freeze(self, number):
        os.killpg(self._running[number].pid, signal.SIGSTOP)

    def thaw(self, number):
        os.killpg(self._running[number].pid, signal.SIGCONT)

    def memory(self, number):
        return procfs.memory_bytes(self._running[number].pid)

    def cpu(self, number):
        return procfs.cpu_seconds(self._running[number].pid)

    def log_tail(self, number):
        return self._running[number].log_tail()

    # ---- requests

    def each(self, ask, numbers=None):
        """Returns the results of `ask(number)` for all running nodes, or for these."""
        return list(self._pool.map(ask, numbers or self.running()))

    def namespace(self, number):
        return f"{self._network.prefix}-{number}"

    def _request(self, number, method, path, body=None):
        return namespace_sockets.request(self.namespace(number), DASHBOARD, method, path, body)

    def _status(self, number, path):
        try:
            return self._request(number, "GET", path)[0]
        except OSError:
            return None

    def view(self, number):
        """Returns the cluster as a node sees it; None if it does not answer."""
        try:
            return self._request(number, "GET", "/api/v1/cluster")[1]
        except OSError:
            return None

    def leader(self):
        view = self.view(self.running()[-1])
        return int(view["leader"][1:]) if view and "leader" in view else None

    def pool(self, number, pool):
        """Returns the backends of a pool as a node sees them."""
        return self._request(number, "GET", f"/api/v1/pools/{pool}")[1]["backends"]

    def backend(self, number):
        return self.pool(number, "web")[0]

    def post(self, number, action):
        """Sends an operator's action for the backend of the pool `web`; returns the status."""
        path = f"/api/v1/pools/web/backends/{address(self.backends_at)}:{WEB}/{action}"
        status, body = self._request(number, "POST", path + ("?confirm=true" if action == "drain" else ""))
        if status >= 400:
            raise Failure(f"{action} was answered with {status}: {body}")
        return status

    def await_state(self, state, numbers=None, seconds=30):
        """Waits until the backend of `web` has this state on all running nodes; returns the times of the changes."""
        end = time.monotonic() + seconds
        waiting, times = set(numbers or self.running()), []
        while waiting:
            for number, backend in zip(sorted(waiting), self.each(self.backend, sorted(waiting))):
                if backend["state"] == state:
                    waiting.discard(number)
                    times.append(since(backend))
            if waiting and time.monotonic() > end:
                raise Failure(f"the backend is not {state} on {', '.join(map(name, sorted(waiting)))} after {seconds} s")
            time.sleep(_POLL_SECONDS)
        return times


def _lb(*words):
    done = subprocess.run(ballast.lb(*words), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"lb {' '.join(map(str, words))}: {done.stderr}")
