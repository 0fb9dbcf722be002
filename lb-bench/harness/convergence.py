"""The delay until answers follow when several backends change at once."""

import time

from harness import ballast, dns_peers, dns_watch, open_ports, ports
from harness.dns_failover import since
from harness.dns_scenarios import ZONE
from harness.template import fill_peer
from harness.workplace import await_true

BACKENDS = 20
# Time between two queries.
STEP_MS = 5
_MAX_SECONDS = 20
_SETTLE_SECONDS = 0.5


def measure(place, count):
    """Returns the seconds from the last health decision to the last outdated answer, for down and up."""
    with open_ports.OpenPorts(BACKENDS) as opened:
        port, dashboard_port = ports.free(ports.DNS), ports.free()
        values = {"port": port, "dashboard_port": dashboard_port, "backends": dns_peers.listed(opened.addresses)}
        config = fill_peer("dns/convergence/ballast.yaml", values)
        running = ballast.Ballast(place, config, port, dashboard_port, name=f"ballast-{count}")
        await_true(lambda: _count(running, "up") == BACKENDS, "backends up", _MAX_SECONDS, running.started)
        watcher = dns_watch.AnswerWatcher(port, f"app0.{ZONE}")
        watcher.start()
        try:
            changed = opened.hosts[:count]
            for host in changed:
                opened.shut(host)
            down = _lag(running, watcher, "down", count, lambda addresses: not set(changed) & set(addresses))
            for host in changed:
                opened.open(host)
            up = _lag(running, watcher, "up", BACKENDS, lambda addresses: len(addresses) == BACKENDS)
        finally:
            watcher.stop()
            running.started.stop()
    return down, up


def _lag(running, watcher, state, count, is_followed):
    await_true(lambda: _count(running, state) == count, f"backends {state}", _MAX_SECONDS, running.started)
    time.sleep(_SETTLE_SECONDS)
    await_true(lambda: is_followed(watcher.latest()), "the answers to follow", _MAX_SECONDS, running.started)
    decided = max(since(backend) for backend in running.stats()["backends"] if backend["state"] == state)
    unknowing = [seen.at for seen in watcher.seen if not is_followed(seen.addresses)]
    return max(0.0, max(unknowing) - decided) if unknowing else 0.0


def _count(running, state):
    return [backend["state"] for backend in running.stats()["backends"]].count(state)
