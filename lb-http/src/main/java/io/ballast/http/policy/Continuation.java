package io.ballast.http.policy;

/**
 * Continues a pending decision on the event loop of its request, for example to add header lines after another thread
 * has verified a token. Each {@link PolicyDecision} is also a continuation that returns itself.
 */
@FunctionalInterface
public interface Continuation {

    /**
     * Decides, or returns another pending decision. The request's head can be read again.
     *
     * @param step see {@link Policy#evaluate}
     */
    PolicyDecision decide(PolicyExchange exchange, int step);

    /** Called on the event loop instead of {@link #decide} if the request has already ended. */
    default void dropped() {}
}
