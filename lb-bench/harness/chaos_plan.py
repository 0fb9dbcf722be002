"""The steps of a chaos run and their times, derived from a seed in advance, so that a run can be repeated."""

import random
from dataclasses import dataclass

# Faults of a backend process, with minimum and maximum duration.
FAULTS = {"kill": (1.0, 4.0), "hang": (1.0, 3.0), "reset": (1.0, 4.0), "slow": (1.0, 4.0)}
# Overrides of a backend, with minimum and maximum duration.
ORDERS = {"drain": (1.0, 5.0), "down": (1.0, 5.0), "weigh": (1.0, 6.0)}
# Steps that affect no single backend.
WHOLE = ("reload", "move")
_WEIGHTS = (0, 1, 2, 5)

# Maximum number of backends with a fault or an override at a time; the others are healthy.
MAX_AT_ONCE = 2
# Health checks have to detect the recovery, and an ejection has to end.
_RECOVERY_SECONDS = 6.0
_FIRST_SECONDS = 2.0
_LAST_SECONDS = 12.0
_PAUSE = (0.3, 1.5)


@dataclass(frozen=True, order=True)
class Step:
    """A step at `at` seconds; for `backend` and until `end` if applicable."""

    at: float
    what: str
    backend: int = -1
    end: float = 0.0
    weight: int = 1


def plan(seed, seconds, backends):
    """Returns the steps of a run. None begins or ends in the last seconds, so that all backends can recover."""
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
            if len(idle) > backends - MAX_AT_ONCE:
                number = draw.choice(idle)
                end = at + draw.uniform(*(FAULTS.get(what) or ORDERS[what]))
                steps.append(Step(at, what, number, end, draw.choice(_WEIGHTS)))
                free_at[number] = end + _RECOVERY_SECONDS
        at += draw.uniform(*_PAUSE)
    return steps


def disturbed(steps, at):
    """Returns the backends that are disturbed at a moment, according to the plan."""
    return {step.backend for step in steps if step.backend >= 0 and step.at <= at < step.end}
