"""The invariants of a chaos run, each as a function that returns what speaks against it."""

from dataclasses import dataclass

# Faults that may cost a request which is not to be repeated, when it was there.
BREAKING = ("kill", "hang", "reset")
# What was in hand when a fault began, and the first connections after it.
_BEFORE_SECONDS = 0.2
_AFTER_SECONDS = 1.5
_MOST_SHOWN = 5


@dataclass(frozen=True)
class Span:
    """Something that was so from the one moment until the other, as `what` names it, of the backend at `address`."""

    what: str
    address: str
    begin: float
    end: float


def failures(sent, faults):
    """Returns (how many failed requests are explained, those that are not)."""
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
    """Whether a backend broke while the request was under way that must not go to another one: its method forbids that."""
    return request.method == "POST" and any(
        fault.what in BREAKING
        and request.begin <= fault.end + _AFTER_SECONDS
        and request.end >= fault.begin - _BEFORE_SECONDS
        for fault in faults
    )


def out_of_place(sent):
    """Answers that belong to other requests."""
    return shown([f"{request.id}: {request.fault}" for request in sent if request.status == 200 and request.fault])


def taken_out(sent, got, orders):
    """Requests that began while their backend was out of service by an order that had been answered.

    `got` are the ids that each address got, in order.
    """
    begun = {request.id: request for request in sent}
    problems = []
    for order in orders:
        for identity in got.get(order.address, ()):
            request = begun.get(identity)
            if request is not None and order.begin < request.begin and request.end < order.end:
                problems.append(f"{identity} went to {order.address} after its {order.what}")
    return shown(problems)


def counters(sent, got, stats):
    """Whether what clients sent, what Ballast counts and what backends got are the same."""
    problems = []
    total, listener, (pool,) = len(sent), stats["listeners"][0], stats["pools"]
    expected = {
        "the listener's requests": listener["requests"],
        "its completed requests": listener["completed"],
        "the pool's completed requests": pool["requests"]["completed"],
        "the listener's answers, and failures without one": sum(listener["responses"].values())
        + sum(1 for request in sent if request.status == 0),
    }
    problems += [f"{what}: {count} (expected: {total}, which were sent)" for what, count in expected.items() if count != total]
    good = sum(1 for request in sent if request.status == 200)
    if listener["responses"]["2xx"] != good:
        problems.append(f"answers 2xx: {listener['responses']['2xx']} (expected: {good}, which clients got)")
    for backend in stats["backends"]:
        problems += _backend(backend, len(got.get(backend["addr"], ())))
    answered = sum(backend["responses"]["2xx"] for backend in stats["backends"])
    if answered != good:
        problems.append(f"answers 2xx of backends: {answered} (expected: {good}, which clients got)")
    return problems


def _backend(backend, logged):
    """A request that was sent is answered, or failed; and a backend has got no more than were sent, nor fewer than it answered."""
    sent, answered = backend["total_req_count"], sum(backend["responses"].values())
    failed = {kind: count for kind, count in backend["failures"].items() if not kind.startswith("connect_")}
    problems = []
    if answered + sum(failed.values()) + backend["client_aborts"] != sent:
        problems.append(
            f"{backend['addr']}: {sent} sent, but {answered} answered, {failed} and {backend['client_aborts']} given up"
        )
    if not answered <= logged <= sent:
        problems.append(f"{backend['addr']} got {logged} (expected: {answered}, which it answered, to {sent}, which were sent)")
    return problems


def at_rest(stats):
    """Whether nothing is in flight any more."""
    return [
        f"{name} in flight: {count} (expected: 0)"
        for name, count in [
            *((each["addr"], each["in_flight"]) for each in stats["backends"]),
            *((each["name"], each["in_flight"]) for each in (*stats["listeners"], *stats["pools"])),
        ]
        if count
    ]


def usable(stats):
    """The addresses that take traffic, by the API."""
    return {each["addr"] for each in stats["backends"] if each["is_host_alive"] and each["weight"] > 0}


def shown(problems):
    """The first few, and how many more there are."""
    more = len(problems) - _MOST_SHOWN
    return problems[:_MOST_SHOWN] + ([f"and {more} more like these"] if more > 0 else [])
