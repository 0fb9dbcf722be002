"""What a chaos run does and when: drawn from a seed before it begins, so that a run can be had again."""

import random
from dataclasses import dataclass

# What is done to a backend's process, and for how long at least and at most.
FAULTS = {"kill": (1.0, 4.0), "hang": (1.0, 3.0), "reset": (1.0, 4.0), "slow": (1.0, 4.0)}
# What an operator orders of a backend.
ORDERS = {"drain": (1.0, 5.0), "down": (1.0, 5.0), "weigh": (1.0, 6.0)}
# What concerns no single backend.
WHOLE = ("reload", "move")
_WEIGHTS = (0, 1, 2, 5)

# Backends that are disturbed or ordered out at once; the others are well.
MOST_AT_ONCE = 2
# Checks have to find out that it is well again, and an ejection has to end.
_RECOVERY_SECONDS = 6.0
_FIRST_SECONDS = 2.0
_LAST_SECONDS = 12.0
_PAUSE = (0.3, 1.5)


@dataclass(frozen=True, order=True)
class Step:
    """Something done at `at` seconds; to `backend` and undone at `end` where that means something."""

    at: float
    what: str
    backend: int = -1
    end: float = 0.0
    weight: int = 1


def plan(seed, seconds, backends):
    """The steps of a run. None begins, or is undone, in the last seconds, so that all can come to rest."""
    draw = random.Random(seed)
    free_at = [0.0] * backends
    steps = []
    at = _FIRST_SECONDS
    while at < seconds - _LAST_SECONDS:
        what = draw.choice((*FAULTS, *ORDERS, *WHOLE))
        if what in WHOLE:
            steps.append(Step(at, what))
        else:
            idle = [number for number in range(backends) if free_at[number] <= at]
            if len(idle) > backends - MOST_AT_ONCE:
                number = draw.choice(idle)
                end = at + draw.uniform(*(FAULTS.get(what) or ORDERS[what]))
                steps.append(Step(at, what, number, end, draw.choice(_WEIGHTS)))
                free_at[number] = end + _RECOVERY_SECONDS
        at += draw.uniform(*_PAUSE)
    return steps


def disturbed(steps, at):
    """Which backends are not well at a moment, by what was planned."""
    return {step.backend for step in steps if step.backend >= 0 and step.at <= at < step.end}
