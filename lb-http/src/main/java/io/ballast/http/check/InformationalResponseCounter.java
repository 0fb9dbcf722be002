package io.ballast.http.check;

/** Counts the 1xx responses before the final one; allows as many as proxied requests do. Event-loop confined. */
final class InformationalResponseCounter {

    static final int MAX = 100;

    static final String TOO_MANY = "more than " + MAX + " informational responses";

    private int count;

    /** Counts one more; returns whether the limit still holds. */
    boolean tryIncrement() {
        return ++count <= MAX;
    }
}
