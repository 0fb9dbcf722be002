"""The invariants of a chaos run, each as a function that returns the violations."""

from dataclasses import dataclass

# Faults that may fail a request which must not be retried, if it was in flight.
BREAKING = ("kill", "hang", "reset")
# Covers requests in flight at the start of a fault, and the first connections after it.
_BEFORE_SECONDS = 0.2
_AFTER_SECONDS = 1.5
_MAX_SHOWN = 5


@dataclass(frozen=True)
class Span:
    """The time for which `what` was in effect for the backend at `address`."""

    what: str
    address: str
    begin: float
    end: float


def failures(sent, faults):
    """Returns (number of explained failures, the unexplained ones)."""
    explained, others = 0, []
    for request in sent:
        if request.status == 200:
            continue
        if is_explained(request, faults):
            explained += 1
        else:
            others.append(request)
    return explained, others


def is_explained(request, faults):
    """Returns whether a backend failed during a request that may not be retried because of its method."""
    return request.method == "POST" and any(
        fault.what in BREAKING
        and request.begin <= fault.end + _AFTER_SECONDS
        and request.end >= fault.begin - _BEFORE_SECONDS
        for fault in faults
    )


def out_of_place(sent):
    """Returns responses that belong to other requests."""
    return shown([f"{request.id}: {request.fault}" for request in sent if request.status == 200 and request.fault])


def taken_out(sent, received, orders):
    """Returns requests that began while their backend was out of service by an acknowledged override.

    `received` has the ids that each address received, in order.
    """
    begun = {request.id: request for request in sent}
    problems = []
    for order in orders:
        for identity in received.get(order.address, ()):
            request = begun.get(identity)
            if request is not None and order.begin < request.begin and request.end < order.end:
                problems.append(f"{identity} went to {order.address} after its {order.what}")
    return shown(problems)


def counters(sent, received, stats):
    """Compares the requests that clients sent, Ballast counted and backends received."""
    problems = []
    total, listener, (pool,) = len(sent), stats["listeners"][0], stats["pools"]
    expected = {
        "the listener's requests": listener["requests"],
        "its completed requests": listener["completed"],
        "the pool's completed requests": pool["requests"]["completed"],
        "the listener's answers, and failures without one": sum(listener["responses"].values())
        + sum(1 for request in sent if request.status == 0),
    }
    problems += [f"{what}: {count} (expected: {total}requests sent)" for what, count in expected.items() if count != total]
    good = sum(1 for request in sent if request.status == 200)
    if listener["responses"]["2xx"] != good:
        problems.append(f"2xx responses: {listener['responses']['2xx']} (expected: {good}received by clients)")
    for backend in stats["backends"]:
        problems += _backend(backend, len(received.get(backend["addr"], ())))
    answered = sum(backend["responses"]["2xx"] for backend in stats["backends"])
    if answered != good:
        problems.append(f"2xx responses of backends: {answered} (expected: {good}received by clients)")
    return problems


def _backend(backend, logged):
    """Checks that every request that Ballast sent to a backend was answered or failed, and that the backend received at
    least the answered and at most the sent ones."""
    sent, answered = backend["total_req_count"], sum(backend["responses"].values())
    failed = {kind: count for kind, count in backend["failures"].items() if not kind.startswith("connect_")}
    problems = []
    if answered + sum(failed.values()) + backend["client_aborts"] != sent:
        problems.append(
            f"{backend['addr']}: {sent} sent, but {answered} answered, {failed} and {backend['client_aborts']} aborted"
        )
    if not answered <= logged <= sent:
        problems.append(f"{backend['addr']} received {logged} (expected: {answered} answered to {sent} sent)")
    return problems


def at_rest(stats):
    """Returns the requests and connections that are still in flight."""
    return [
        f"{name} in flight: {count} (expected: 0)"
        for name, count in [
            *((each["addr"], each["in_flight"]) for each in stats["backends"]),
            *((each["name"], each["in_flight"]) for each in (*stats["listeners"], *stats["pools"])),
        ]
        if count
    ]


def usable(stats):
    """Returns the addresses that take traffic according to the API."""
    return {each["addr"] for each in stats["backends"] if each["is_host_alive"] and each["weight"] > 0}


def shown(problems):
    """Returns the first problems and the number of further ones."""
    more = len(problems) - _MAX_SHOWN
    return problems[:_MAX_SHOWN] + ([f"and {more} more like these"] if more > 0 else [])
