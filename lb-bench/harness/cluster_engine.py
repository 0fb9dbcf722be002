"""Tests the cluster engine: commands through random members, their latency, injected faults, and a rolling restart."""

import random
import shutil
import threading
import time

from harness import conditions, java, procfs, report
from harness.engine_faults import Faults
from harness.engine_members import Members, await_ready, name
from harness.namespaces import Network
from harness.workplace import Failure, Workplace, say

_READY_SECONDS = 180
_EQUAL_SECONDS = 60
_LATENCY_BAR_MILLIS = 250


def run(options):
    for tool in ("ip", "openssl", "keytool"):
        if shutil.which(tool) is None:
            raise Failure(f"{tool} is missing (apt-get install iproute2 openssl, or a JDK)")
    java.jar()
    facts = [*conditions.gather(), ("Java", java.version()), ("Members", f"{options.nodes}, {options.voters} of them voters")]
    with Workplace() as place, Network(options.nodes) as network:
        trial = _Trial(options, place, network)
        trial.start()
        trial.measure_latency()
        trial.measure_idle()
        trial.restart_each()
        trial.run_schedules()
    return trial.report(facts), not trial.faults and trial.latency_is_met()


class _Trial:
    def __init__(self, options, place, network):
        self._options, self._network = options, network
        self._voters = network.numbers[: options.voters]
        self._lock = threading.Lock()
        self._results = {}
        self._sent = 0
        self._known = 0
        self._known_digest = None
        self._random = random.Random(options.seed)
        self._members = Members(place, network, self._voters, self._on_put)
        self.faults, self.figures, self._schedules, self._heals = [], [], [], []
        self._applied_p99 = None

    def _on_put(self, _number, identity, micros):
        with self._lock:
            self._results[identity] = micros

    def start(self):
        say(f"starting {self._options.nodes} members")
        began = time.monotonic()
        for number in self._network.numbers:
            self._members.start(number)
        await_ready(self._members, self._network.numbers, _READY_SECONDS)
        self._await_equal(_READY_SECONDS)
        self.figures.append(("all members in one view after the start, s", f"{time.monotonic() - began:.1f}"))

    # ---- commands

    def _put(self, number):
        self._sent += 1
        identity = f"c{self._sent}"
        self._members.put(number, identity)
        return identity

    def _await_result(self, identity, seconds=6):
        end = time.monotonic() + seconds
        while identity not in self._results and time.monotonic() < end:
            time.sleep(0.001)
        return self._results.get(identity)

    # ---- measurements

    def measure_latency(self):
        say("measuring the latency")
        for _ in range(20):
            self._await_result(self._put(self._random.choice(self._network.numbers)))
        self._await_equal(_EQUAL_SECONDS)
        start = self._members.state(1)[0]
        committed, sent = [], {}
        for _ in range(self._options.writes):
            identity = self._put(self._random.choice(self._network.numbers))
            sent[identity] = time.time_ns() // 1000
            micros = self._await_result(identity)
            if micros is None:
                self.faults.append(f"latency: {identity} was not committed")
            else:
                committed.append(micros / 1000)
            time.sleep(0.02)
        self._await_equal(_EQUAL_SECONDS)
        last = {}
        for number in self._members.numbers():
            for identity, micros in self._members.listing(number, start):
                last[identity] = max(last.get(identity, 0), micros)
        applied = [(last[identity] - micros) / 1000 for identity, micros in sent.items() if identity in last]
        for label, values in (("committed, seen by the submitter", committed), ("applied by all members", applied)):
            self.figures.append((f"{label}, ms: median, p99, most", " ".join(f"{_share(values, q):.0f}" for q in (0.5, 0.99, 1))))
        self._applied_p99 = _share(applied, 0.99)

    def latency_is_met(self):
        return self._applied_p99 is not None and self._applied_p99 <= _LATENCY_BAR_MILLIS

    def measure_idle(self):
        pids = self._members.pids()
        before, began = sum(map(procfs.cpu_seconds, pids)), time.monotonic()
        time.sleep(10)
        used = (sum(map(procfs.cpu_seconds, pids)) - before) / (time.monotonic() - began)
        memory = sorted(procfs.memory_bytes(pid) for pid in pids)
        self.figures.append(("CPU of an idle member, percent of a core", f"{100 * used / len(pids):.1f}"))
        self.figures.append(("resident memory of a member, MB, median", f"{memory[len(memory) // 2] / 1e6:.0f}"))

    def restart_each(self):
        say("restarting each voter, one after the other")
        longest = 0.0
        for number in self._voters:
            self._members.close(number)
            others = [other for other in self._members.numbers() if other != number]
            began = time.monotonic()
            while self._await_result(self._put(self._random.choice(others)), seconds=2) is None:
                if time.monotonic() - began > _EQUAL_SECONDS:
                    self.faults.append(f"no command was accepted while {name(number)} was stopped")
                    break
            longest = max(longest, time.monotonic() - began)
            self._members.start(number)
            await_ready(self._members, [number], _READY_SECONDS)
            self._await_equal(_EQUAL_SECONDS)
        self._check("rolling restart")
        self.figures.append(("rolling restart of the voters: longest time without an accepted command, s", f"{longest:.1f}"))

    # ---- faults

    def run_schedules(self):
        began = time.monotonic()
        for seed in range(self._options.seed, self._options.seed + self._options.schedules):
            if time.monotonic() - began > self._options.minutes * 60:
                break
            self._run_schedule(seed)

    def _run_schedule(self, seed):
        known = len(self.faults)
        faults = Faults(seed, self._network, self._members, self._voters)
        stopping = threading.Event()
        writer = threading.Thread(target=self._write, args=(random.Random(seed), stopping))
        leader = self._members.state(self._voters[0])[2]
        writer.start()
        faults.run(int(leader[1:]) if leader.startswith("n") and leader[1:].isdigit() else None)
        stopping.set()
        writer.join()
        faults.end()
        healed = time.monotonic()
        label = f"schedule {seed}: {faults}"
        try:
            self._await_equal(_EQUAL_SECONDS)
            self._heals.append(time.monotonic() - healed)
        except Failure as failure:
            self.faults.append(f"{label}: {failure}")
        self._check(label)
        self._schedules.append(label)
        say(f"{label}: " + ("as expected" if known == len(self.faults) else "; ".join(self.faults[known:])))

    def _write(self, chance, stopping):
        while not stopping.is_set():
            self._put(chance.choice(self._network.numbers))
            time.sleep(0.03)

    # ---- checks

    def _await_equal(self, seconds):
        """Waits until a new command is accepted, all members see each other, and have applied the same commands."""
        end = time.monotonic() + seconds
        while self._await_result(self._put(self._random.choice(self._voters))) is None:
            if time.monotonic() > end:
                raise Failure(f"no command was accepted for {seconds} s")
        while not self._are_equal():
            if time.monotonic() > end:
                raise Failure(self._difference(seconds))
            time.sleep(0.1)

    def _are_equal(self):
        states = [self._members.state(number) for number in self._members.numbers()]
        return len({state[:2] for state in states}) == 1 and all(len(state[3]) == len(states) for state in states)

    def _difference(self, seconds):
        states = {number: self._members.state(number) for number in self._members.numbers()}
        most = max(state[0] for state in states.values())
        lines = [f"the members differ after {seconds} s"]
        for number, (count, digest, leader, members) in states.items():
            lines.append(f"{name(number)}: {count} commands, digest {digest}, leader {leader}, {len(members)} members")
            if count < most:
                lines.append(self._members.log_tail(number))
        return "\n".join(lines)

    def _check(self, label):
        """Checks that no member has lost a command, and that every member has each acknowledged command exactly once."""
        for number in self._members.numbers():
            if self._known_digest and self._members.digest(number, self._known) != self._known_digest:
                self.faults.append(f"{label}: {name(number)} lost or changed one of the first {self._known} commands")
        listed = [identity for identity, _ in self._members.listing(self._voters[0], 0)]
        if len(set(listed)) != len(listed):
            self.faults.append(f"{label}: {len(listed) - len(set(listed))} commands were applied twice")
        with self._lock:
            acknowledged = {identity for identity, micros in self._results.items() if micros is not None}
        lost = acknowledged - set(listed)
        if lost:
            self.faults.append(f"{label}: {len(lost)} acknowledged commands are lost, such as {sorted(lost)[0]}")
        self._known = len(listed)
        self._known_digest = self._members.digest(self._voters[0], self._known)

    # ---- report

    def report(self, facts):
        acknowledged = sum(micros is not None for micros in self._results.values())
        rows = [
            *self.figures,
            ("schedules of faults", str(len(self._schedules))),
            ("commands sent, acknowledged", f"{self._sent:,}, {acknowledged:,}"),
            ("all members equal after the end of a schedule, s: median, most", f"{_share(self._heals, 0.5):.1f} {_share(self._heals, 1):.1f}"),
        ]
        judged = (
            f"Bar: applied by all members within {_LATENCY_BAR_MILLIS} ms (p99): {'met' if self.latency_is_met() else '**not met**'}."
            " Bar: no acknowledged command is lost, none is applied twice or in another order, all members are equal in the end:"
            f" {'met' if not self.faults else '**not met**'}."
        )
        return "\n\n".join(
            [
                "# cluster --engine",
                "Each member is a process in a network namespace of its own, with TLS 1.3 and a log on disk. All share the cores. Random"
                " members submit commands.",
                report.conditions(facts),
                report.table(["figure", "value"], rows),
                judged,
                *(["\n".join(f"- **{fault}**" for fault in self.faults)] if self.faults else []),
                "## Schedules\n\n" + "\n".join(f"- {schedule}" for schedule in self._schedules),
            ]
        )


def _share(values, share):
    if not values:
        return float("nan")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
