package io.ballast.core.stats;

/**
 * What is counted for each class of HTTP statuses (RFC 9110 section 15). Immutable.
 *
 * @param <C> the counters' names
 */
public final class PerStatusClass<C extends Enum<C>> {

    private final C[] counters;

    /** @param counters for 1xx, 2xx, 3xx, 4xx and 5xx */
    @SafeVarargs
    public PerStatusClass(C... counters) {
        this.counters = counters.clone();
    }

    /** The counter of a response's class; {@code status} is 100 to 599. */
    public C of(int status) {
        return counters[status / 100 - 1];
    }
}
