"""Decides which failed requests are explained by a killed backend."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    good: bool
    reasons: list


def evaluate(errors, excused):
    """Judges the failures that the client saw.

    A retryable request that the balancer still holds completely must be answered by another backend: an error status, a
    refused connection or a timeout is a failure. Only a response that had begun cannot be retried; the client's
    connection is then closed (a read error). `excused` limits their number: the exchanges that the balancer counted as
    failed without a retry.
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
        reasons.append(f"{errors['read']} connections closed, {excused} responses were truncated by a killed backend")
    return Verdict(not reasons, reasons)


def since(before, after):
    """Returns the differences of the backends' counters between two readings of /stats."""
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
    """Returns a backend's exchanges that ended without a complete response and without a retry."""
    return max(0, sum(backend["failures"].values()) - backend["retries"])
