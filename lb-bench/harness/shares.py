"""Checks that each backend got the share that its strategy defines."""


def check(strategy, counts, weights, loops):
    """Returns (description of the check, whether it holds)."""
    total = sum(counts)
    if strategy in ("round-robin", "w-round-robin"):
        return _in_turn(counts, weights, loops, total)
    if strategy == "ip-hash":
        used = sum(count > 0 for count in counts)
        return f"one client address, {used} backend{'s' if used != 1 else ''}", used == 1
    if strategy == "random":
        return _evenly_random(counts, total)
    # Least-connection: a backend without delay gets more than a delayed one, and a shorter delay more than a longer
    # one.
    slow, fast_1, fast_2, medium = counts
    return "the longer the delay, the fewer the requests", slow < medium < min(fast_1, fast_2)


def _in_turn(counts, weights, loops, total):
    """Checks the shares of a strategy with turns. Each event loop has its own turns, and its last one may be incomplete."""
    exact = [total * weight / sum(weights) for weight in weights]
    worst = max(abs(count - share) for count, share in zip(counts, exact))
    return f"at most {worst:.1f} from the exact share, {loops} event loops", worst <= loops


def _evenly_random(counts, total):
    """Checks the shares of a random selection, within five standard deviations of a binomial count: a fair selection
    fails in one of two million runs."""
    share = 1 / len(counts)
    bound = 5 * (total * share * (1 - share)) ** 0.5
    worst = max(abs(count - total * share) for count in counts)
    return f"at most {worst:.0f} from an even share, {bound:.0f} allowed", worst <= bound
