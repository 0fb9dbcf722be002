"""Which failed requests a killed backend excuses."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    good: bool
    reasons: list


def judge(errors, excused):
    """Judges what the client saw.

    A request that the balancer holds whole, and that may be repeated, must be answered by another backend: an error
    status, a refused connection or a timeout is a failed request. Only a response that had begun to arrive cannot be
    saved; the client's connection is then closed (a read error). `excused` bounds how many there were of those: the
    exchanges that the balancer counted as failed without moving them elsewhere.
    """
    reasons = [
        f"{errors[kind]} {meaning}"
        for kind, meaning in (
            ("status", "answers with an error status"),
            ("connect", "connections refused"),
            ("write", "write errors"),
            ("timeout", "requests timed out"),
        )
        if errors[kind]
    ]
    if errors["read"] > excused:
        reasons.append(f"{errors['read']} connections closed, {excused} responses were cut off by a killed backend")
    return Verdict(not reasons, reasons)


def since(before, after):
    """What the backends in /stats counted between two readings."""
    return [
        {
            **now,
            "total_req_count": now["total_req_count"] - then["total_req_count"],
            "retries": now["retries"] - then["retries"],
            "failures": {kind: count - then["failures"][kind] for kind, count in now["failures"].items()},
        }
        for then, now in zip(before, after)
    ]


def cut_off(backend):
    """Of one backend in /stats: exchanges that ended without a whole response and without another attempt."""
    return max(0, sum(backend["failures"].values()) - backend["retries"])
