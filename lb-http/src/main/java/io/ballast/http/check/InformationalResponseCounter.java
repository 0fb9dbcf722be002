package io.ballast.http.check;

/**
 * Counts the 1xx responses before the final response. The limit is the same as for proxied requests.
 * Event-loop confined.
 */
final class InformationalResponseCounter {

    static final int MAX = 100;

    static final String TOO_MANY = "more than " + MAX + " informational responses";

    private int count;

    /** Counts one more response; returns whether the count is still within the limit. */
    boolean tryIncrement() {
        return ++count <= MAX;
    }
}
