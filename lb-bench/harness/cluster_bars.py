"""Measures whole nodes of a cluster in network namespaces, against a table of bars."""

import random
import shutil
import socket
import statistics
import subprocess
import time
from dataclasses import dataclass

from harness import ballast, conditions, dns_wire, java, namespace_sockets, ports, report
from harness.cluster_health import share, spread
from harness.cluster_nodes import DNS, NAME, READY_SECONDS, SITE, SITES, WEB, Nodes, name
from harness.dns_failover import since
from harness.namespaces import Network
from harness.workplace import Failure, Workplace, say

_VOTERS = 3
_FAILING = SITES[:10]
_CLIENT_SECONDS = 15
_ROUNDS = 3
_EQUAL_SECONDS = 60

@dataclass(frozen=True)
class Row:
    """A figure; `bar` is None if there is none for this number of nodes."""

    label: str
    value: float
    bar: float | None
    aim: float | None
    unit: str = "ms"

    def is_met(self):
        return self.bar is None or self.value <= self.bar

    def cells(self):
        bar, aim = (f"{limit:g} {self.unit}" if limit is not None else "–" for limit in (self.bar, self.aim))
        return [self.label, f"{self.value:.4g} {self.unit}", bar, aim, "" if self.bar is None else "met" if self.is_met() else "**not met**"]


def run(options):
    if shutil.which("ip") is None:
        raise Failure("ip is missing (apt-get install iproute2)")
    ballast.build()
    facts = [*conditions.gather(), ("Java", java.version()), ("Nodes", f"{options.nodes}, {_VOTERS} of them voters")]
    with Workplace() as place, Network(options.nodes + 1) as network:
        trial = _Trial(place, network, options)
        for step in trial.steps():
            say(step.__name__.strip("_").replace("_", " "))
            found = step()
            for row in found:
                say("  " + ", ".join(row.cells()))
            trial.rows += found
    met = all(row.is_met() for row in trial.rows) and not trial.faults
    return _report(facts, trial), met


class _Trial:
    def __init__(self, place, network, options):
        self._network, self._options, self._place = network, options, place
        self._random = random.Random(options.seed)
        self._is_small = options.nodes <= 5
        self._nodes = Nodes(place, network, options.nodes, _VOTERS)
        self._acceptor = namespace_sockets.Acceptor()
        self._backends_at = self._nodes.namespace(self._nodes.backends_at)
        self.rows, self.faults = [], []

    def steps(self):
        yield self._start
        yield self._health_changes
        yield self._facts
        yield self._failed_backends
        yield self._lost_nodes
        yield self._lost_leader
        yield self._heals
        yield self._memory
        if self._is_small:
            yield self._query_rate

    def _bar(self, small, large):
        """Returns the limit for 5 nodes or fewer, or that for more."""
        return small if self._is_small else large

    def _start(self):
        self._acceptor.accept(self._backends_at, WEB)
        for site in SITES:
            self._network.add_address(self._nodes.backends_at, site)
            self._acceptor.accept(self._backends_at, SITE, site)
        began = time.monotonic()
        self._nodes.start_all()
        self._nodes.await_state("up", seconds=READY_SECONDS)
        self._await_one_check()
        return [Row("start until all nodes are connected", time.monotonic() - began, None, None, "s")]

    def _await_one_check(self):
        """Waits until one node checks the backend of `web`, and all others use its vote."""
        end = time.monotonic() + READY_SECONDS
        while True:
            views = self._nodes.each(self._nodes.view)
            if all(views) and sum(view["votes"]["unchecked"] for view in views) == len(views) - 1:
                return
            if time.monotonic() > end:
                raise Failure("several nodes still check the same backend")
            time.sleep(0.2)

    # ---- health and facts

    def _health_changes(self):
        millis = []
        for n in range(self._options.changes):
            is_up = bool(n % 2)
            (self._acceptor.accept if is_up else self._acceptor.refuse)(self._backends_at, WEB)
            millis.append(spread(self._nodes.await_state("up" if is_up else "down")))
        label = f"health change visible on all nodes, of {len(millis)}"
        return [
            Row(f"{label}, p50", share(millis, 0.5), self._bar(100, None), self._bar(30, None)),
            Row(f"{label}, p99", share(millis, 0.99), self._bar(300, 500), self._bar(150, 250)),
        ]

    def _facts(self):
        millis = []
        for n in range(self._options.changes):
            node = self._random.choice(self._nodes.numbers)
            sent = time.time()
            status = self._nodes.post(node, "drain")
            if status != 200:
                self.faults.append(f"drain {n} by {name(node)} was answered with {status}")
            millis.append((max(self._nodes.await_state("draining")) - sent) * 1000)
            self._enable()
        label = f"operator's change in effect on all nodes, of {len(millis)}"
        return [
            Row(f"{label}, p50", share(millis, 0.5), None, None),
            Row(f"{label}, p99", share(millis, 0.99), self._bar(250, 500), self._bar(100, 250)),
        ]

    def _enable(self):
        """Removes the overrides, and waits until all nodes have done so."""
        self._nodes.post(self._random.choice(self._nodes.running()), "enable")
        self._nodes.await_state("up")

    def _failed_backends(self):
        """Fails ten backends at once: the time from the first decision until no node answers with one of them."""
        self._await_answers(len(SITES))
        for site in _FAILING:
            self._acceptor.refuse(self._backends_at, SITE, site)
        gone = self._await_answers(len(SITES) - len(_FAILING))
        decided = min(
            since(backend)
            for pool in self._nodes.each(lambda number: self._nodes.pool(number, "sites"))
            for backend in pool
            if backend["state"] == "down"
        )
        for site in _FAILING:
            self._acceptor.accept(self._backends_at, SITE, site)
        self._await_answers(len(SITES))
        return [Row("10 backends fail: from the first decision until all answers of all nodes lack them", gone - decided, 0.5, 0.2, "s")]

    def _await_answers(self, count):
        """Waits until all nodes answer with so many addresses; returns the time."""
        end = time.monotonic() + _EQUAL_SECONDS
        waiting = set(self._nodes.running())
        while waiting:
            for number, answers in zip(sorted(waiting), self._nodes.each(self._answers, sorted(waiting))):
                if answers == count:
                    waiting.discard(number)
            if time.monotonic() > end:
                raise Failure(f"{', '.join(map(name, waiting))} do not answer with {count} addresses")
        return time.time()

    def _answers(self, number):
        try:
            with namespace_sockets.create(self._nodes.namespace(number), socket.SOCK_DGRAM) as client:
                client.settimeout(1)
                client.connect((ports.LOOPBACK, DNS))
                client.send(dns_wire.question(NAME, "A"))
                return len(dns_wire.parse(client.recv(65535)).answer)
        except (OSError, dns_wire.Malformed):
            return None

    # ---- lost nodes

    def _lost_nodes(self):
        """A node is killed, frozen or cut off: until all others have noticed. The last one is no voter if there are others."""
        victim = self._nodes.numbers[-1]
        rows = []
        for label, lose, restore, bar, aim in (
            ("killed", self._nodes.kill, self._restart, 1.5, 1.1),
            ("frozen", self._nodes.freeze, self._nodes.thaw, 7, 5.5),
            ("cut off", lambda number: self._network.separate([number]), lambda _: self._network.heal(), 7, 5.5),
        ):
            seconds = []
            for _ in range(self._options.losses):
                self._nodes.await_connected()
                began = time.monotonic()
                lose(victim)
                seconds.append(self._await_noticed(victim, began))
                restore(victim)
            rows.append(Row(f"node {label}: noticed by all others, longest of {len(seconds)}", max(seconds), bar, aim, "s"))
        self._nodes.await_connected()
        return rows

    def _restart(self, number):
        self._nodes.start(number)
        self._nodes.await_ready(number)

    def _await_noticed(self, victim, began):
        waiting = set(self._nodes.running()) - {victim}
        while waiting:
            for number, view in zip(sorted(waiting), self._nodes.each(self._nodes.view, sorted(waiting))):
                if view and all(node["name"] != name(victim) for node in view["nodes"]):
                    waiting.discard(number)
            if time.monotonic() - began > _EQUAL_SECONDS:
                raise Failure(f"{', '.join(map(name, waiting))} have not noticed the loss of {name(victim)}")
        return time.monotonic() - began

    def _lost_leader(self):
        seconds = []
        for n in range(self._options.losses):
            self._nodes.await_connected()
            leader = self._nodes.leader()
            other = next(number for number in self._nodes.running() if number != leader)
            self._nodes.kill(leader)
            began = time.monotonic()
            while self._nodes.post(other, "enable" if n % 2 else "drain") != 200:
                if time.monotonic() - began > _EQUAL_SECONDS:
                    raise Failure("no change was committed after the leader was killed")
                time.sleep(0.02)
            seconds.append(time.monotonic() - began)
            self._restart(leader)
        self._nodes.await_connected()
        self._enable()
        return [Row(f"leader killed: until a change is committed, longest of {len(seconds)}", max(seconds), 2, 0.5, "s")]

    def _heals(self):
        rows = []
        for cut_seconds in self._options.cuts:
            self._nodes.await_connected()
            half = self._nodes.numbers[len(self._nodes.numbers) // 2 + 1 :]
            self._network.separate(half)
            end = time.monotonic() + cut_seconds
            n = 0
            while time.monotonic() < end:
                n += 1
                self._nodes.post(self._random.choice([number for number in self._nodes.numbers if number not in half]), ("drain", "enable")[n % 2])
                time.sleep(0.5)
            self._network.heal()
            seconds = self._nodes.await_connected()
            label = f"{len(half)} nodes cut off for {cut_seconds:g} s, {n} changes meanwhile: until all are connected and equal"
            rows.append(Row(label, seconds, self._bar(5, 12), self._bar(2, 6), "s"))
        self._nodes.await_connected()
        self._enable()
        return rows

    # ---- cost

    def _memory(self):
        """Compares the resident memory of the nodes with that of single processes of the same age."""
        self._nodes.await_connected()
        clustered = [self._nodes.memory(number) for number in self._nodes.numbers]
        for number in self._nodes.numbers:
            self._nodes.kill(number)
        self._nodes = Nodes(self._place, self._network, min(5, self._options.nodes), _VOTERS, is_clustered=False)
        self._nodes.start_all()
        self._nodes.await_state("up")
        time.sleep(_CLIENT_SECONDS)
        single = [self._nodes.memory(number) for number in self._nodes.numbers]
        added = (statistics.median(clustered) - statistics.median(single)) / 1e6
        return [
            Row("resident memory of a node, median", statistics.median(clustered) / 1e6, None, None, "MB"),
            Row("resident memory of a process without cluster, median", statistics.median(single) / 1e6, None, None, "MB"),
            Row("memory that the cluster adds", added, self._bar(40, 80), self._bar(25, 60), "MB"),
        ]

    def _query_rate(self):
        """Measures DNS queries on all nodes at once, in turn with as many single processes, which run at the start."""
        if shutil.which("dnsperf") is None:
            say("dnsperf is missing (apt-get install dnsperf): no rates")
            return []
        queries = self._place.write("queries", f"{NAME} A\n")
        single, clustered = self._nodes, Nodes(self._place, self._network, self._options.nodes, _VOTERS)
        rates = {False: [], True: []}
        running = single
        for _ in range(_ROUNDS):
            for is_clustered, nodes in ((False, single), (True, clustered)):
                if running is not nodes or not nodes.running():
                    for number in running.running():
                        running.kill(number)
                    nodes.start_all()
                    nodes.await_state("up")
                    running = nodes
                self._load(nodes, queries)  # warm-up
                rates[is_clustered].append(self._load(nodes, queries))
        ratios = [clustered / alone for alone, clustered in zip(rates[False], rates[True])]
        ratio = statistics.median(ratios)
        return [
            Row("DNS queries per second, nodes of the cluster", statistics.median(rates[True]), None, None, "/s"),
            Row("DNS queries per second, single processes", statistics.median(rates[False]), None, None, "/s"),
            Row("single processes / nodes of the cluster", 1 / ratio, 1 / 0.97, 1 / 0.99, "×"),
        ]

    def _load(self, nodes, queries):
        """Returns the answered queries per second of all nodes together."""
        clients = [
            subprocess.Popen(
                self._network.command(
                    number,
                    ["dnsperf", "-s", ports.LOOPBACK, "-p", str(DNS), "-d", str(queries), "-l", str(_CLIENT_SECONDS), "-q", "20", "-c", "4", "-T", "1"],
                ),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            for number in nodes.numbers
        ]
        total = 0.0
        for client in clients:
            text = client.communicate()[0]
            line = next((line for line in text.splitlines() if "Queries per second" in line), None)
            if line is None:
                raise Failure(f"dnsperf failed:\n{text}")
            total += float(line.split()[-1])
        return total


def _report(facts, trial):
    parts = [
        "# cluster --bars",
        "Whole nodes (`lb run`), each in a network namespace, with checks each 100 ms. All share the cores.",
        report.conditions(facts),
        report.table(["measured", "result", "bar", "aim", ""], [row.cells() for row in trial.rows]),
    ]
    if trial.faults:
        parts.append("\n".join(f"- **{fault}**" for fault in trial.faults))
    return "\n\n".join(parts)
