"""Measures a node to which many agents report: registration, idle traffic and CPU, and the return after a restart."""

import asyncio
import hashlib
import time

from harness import agent_crowd, ballast, certificate, conditions, ports, procfs, report
from harness.workplace import Failure, Workplace, say

_BACKENDS = 10
_TOKEN = "token of the run"
_SETTLE_SECONDS = 30
_IDLE_SECONDS = 120
_LIMIT_SECONDS = 120
BARS = {"register": (10, 5), "return": (10, 5), "traffic": (100, 50)}

_CONFIG = """listeners: [{{name: web, bind: "127.0.0.1:{port}", pool: web}}]
dashboard: {{bind: "127.0.0.1:{dashboard_port}", ready_when: started}}
data_dir: {directory}/data
agents:
  bind: 127.0.0.1:{agents_port}
  tls: {{certificate: {certificate}, key: {key}}}
pools:
  web:
    agents: {{tokens: [{{name: bench, hash: "sha256:{hash}"}}], max_backends: 10000}}
    health: {{type: none}}
"""


def run(options):
    ballast.build()
    facts = [*conditions.gather(), ("Agents", f"{options.agents} in one process, {_BACKENDS} backends each")]
    with Workplace() as place:
        measured = asyncio.run(_Run(place, options.agents).measure())
    return _report(facts, options.agents, measured), is_met(measured)


class _Run:
    def __init__(self, place, count):
        self._place = place
        self._count = count
        self._tls = certificate.make(place)
        self._ports = ports.free(), ports.free(), ports.free()

    def _start(self):
        port, dashboard_port, agents_port = self._ports
        config = _CONFIG.format(
            port=port,
            dashboard_port=dashboard_port,
            agents_port=agents_port,
            directory=self._place.directory,
            certificate=self._tls.certificate,
            key=self._tls.key,
            hash=hashlib.sha256(_TOKEN.encode()).hexdigest(),
        )
        return ballast.Ballast(self._place, config, port, dashboard_port)

    async def measure(self):
        loop = asyncio.get_running_loop()
        started = await loop.run_in_executor(None, self._start)
        node = agent_crowd.Node("localhost", self._ports[2], self._tls.authority)
        say(f"{self._count} agents register")
        begin = time.monotonic()
        async with agent_crowd.Crowd(node, self._count, _BACKENDS, _TOKEN) as crowd:
            registered = await crowd.all_connected(_LIMIT_SECONDS) - begin
            served = await _await_backends(loop, started, self._count * _BACKENDS) - begin
            say(f"measuring {_IDLE_SECONDS} s without changes")
            await asyncio.sleep(_SETTLE_SECONDS)
            idle = await _idle(loop, started, crowd)
            say("restarting the node")
            started.started.stop()
            await crowd.none_connected(_LIMIT_SECONDS)
            started = await loop.run_in_executor(None, self._start)
            ready = time.monotonic()
            returned = await crowd.all_connected(_LIMIT_SECONDS) - ready
            memory = procfs.memory_bytes(started.started.pid)
        return {"register": served, "accepted": registered, "return": returned, "memory": memory, **idle}


async def _await_backends(loop, started, count):
    """Returns the time at which all backends take traffic."""
    end = time.monotonic() + _LIMIT_SECONDS
    while time.monotonic() < end:
        stats = await loop.run_in_executor(None, started.stats)
        if sum(backend["state"] == "up" for backend in stats["backends"]) == count:
            return time.monotonic()
        await asyncio.sleep(0.2)
    raise Failure(f"{count} backends did not join the pool within {_LIMIT_SECONDS} s")


async def _idle(loop, started, crowd):
    """Returns the traffic of each agent and the CPU of the node while nothing changes."""
    before, cpu, errors = crowd.traffic(), procfs.cpu_seconds(started.started.pid), _errors(crowd)
    begin = time.monotonic()
    await asyncio.sleep(_IDLE_SECONDS)
    seconds = time.monotonic() - begin
    after = crowd.traffic()
    if _errors(crowd) != errors or crowd.connected() < len(crowd.agents):
        raise Failure("agents lost their connection while nothing changed")
    payload = sorted((new[0] - old[0]) / seconds for old, new in zip(before, after))
    segments = sorted((new[1] - old[1]) / seconds for old, new in zip(before, after))
    middle = len(payload) // 2
    return {
        "payload": payload[middle],
        "segments": segments[middle],
        "traffic": payload[middle] + segments[middle] * agent_crowd.SEGMENT_BYTES,
        "cpu": (procfs.cpu_seconds(started.started.pid) - cpu) / seconds * 100,
    }


def _errors(crowd):
    return sum(agent.errors for agent in crowd.agents)


def is_met(measured):
    return all(measured[name] <= bar for name, (bar, _) in BARS.items())


def _report(facts, agents, measured):
    rows = [
        [f"{agents * _BACKENDS} backends registered, all take traffic", f"{measured['register']:.1f} s", *_limits("register", "s")],
        ["the same, until all reports are accepted", f"{measured['accepted']:.1f} s", "", ""],
        [f"{agents} agents back after the node is ready again", f"{measured['return']:.1f} s", *_limits("return", "s")],
        ["idle, per agent, with the headers of TCP and IP", f"{measured['traffic']:.0f} B/s", *_limits("traffic", "B/s")],
        ["idle, per agent, without these headers", f"{measured['payload']:.0f} B/s", "", ""],
        ["idle, packets per agent", f"{measured['segments']:.2f} /s", "", ""],
        [f"idle, CPU of the node for {agents} agents", f"{measured['cpu']:.1f} % of a core", "", ""],
        ["memory of the node after the return", f"{measured['memory'] / 1e6:.0f} MB", "", ""],
    ]
    return f"# Many agents\n\n{report.conditions(facts)}\n\n{report.table(['measured', 'result', 'bar', 'aim'], rows)}"


def _limits(name, unit):
    return [f"{limit} {unit}" for limit in BARS[name]]
