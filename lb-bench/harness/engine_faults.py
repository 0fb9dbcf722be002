"""Seeded schedules of faults for the members of a cluster."""

import random
import time

from harness.engine_members import await_ready, name

_READY_SECONDS = 60
KINDS = ("halves", "minority", "leader cut off", "pair cut", "one direction cut", "leader killed", "members killed", "frozen", "flapping")


class Faults:
    """A schedule: one or two faults, each for some seconds; then all faults end."""

    def __init__(self, seed, network, members, voters):
        self._random = random.Random(seed)
        self._network, self._members, self._voters = network, members, voters
        self._killed, self._frozen = [], []
        self.kinds = self._random.sample(KINDS, self._random.choice((1, 1, 2)))

    def run(self, leader):
        """Starts the faults one after the other; the first continues during the second. `leader` may be None if unknown."""
        for kind in self.kinds:
            self._cause(kind, leader if leader in self._members.numbers() else self._random.choice(self._voters))
            time.sleep(self._random.uniform(1.0, 6.0))

    def _cause(self, kind, leader):
        numbers = [number for number in self._members.numbers() if number not in self._frozen]
        picked = self._random.sample(numbers, len(numbers))
        if kind == "halves":
            self._network.separate(picked[: len(picked) // 2])
        elif kind == "minority":
            learners = [number for number in picked if number not in self._voters]
            self._network.separate([self._random.choice(self._voters), *learners[: len(learners) // 3]])
        elif kind == "leader cut off":
            self._network.separate([leader])
        elif kind == "pair cut":
            one, other = (leader, next(number for number in picked if number != leader))
            self._network.cut_direction(one, other)
            self._network.cut_direction(other, one)
        elif kind == "one direction cut":
            self._network.cut_direction(picked[0], picked[1])
        elif kind == "leader killed":
            self._kill([leader])
        elif kind == "members killed":
            self._kill(picked[: max(1, len(picked) // 10)])
        elif kind == "frozen":
            self._frozen.append(picked[0])
            self._members.freeze(picked[0])
        elif kind == "flapping":
            for _ in range(4):
                self._network.disconnect(picked[0])
                time.sleep(0.4)
                self._network.connect(picked[0])
                time.sleep(0.4)

    def _kill(self, numbers):
        for number in numbers:
            if number in self._members.numbers() and number not in self._frozen:
                self._members.kill(number)
                self._killed.append(number)

    def end(self):
        """Ends all faults, and starts killed members again."""
        self._network.heal()
        for number in self._frozen:
            self._members.thaw(number)
        for number in self._killed:
            self._members.start(number)
        await_ready(self._members, self._killed, _READY_SECONDS)

    def __str__(self):
        parts = ", ".join(self.kinds)
        return f"{parts} (killed {', '.join(map(name, self._killed)) or 'none'})"
