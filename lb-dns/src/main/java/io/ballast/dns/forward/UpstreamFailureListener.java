package io.ballast.dns.forward;

import io.ballast.core.backend.Backend;

/** Receives reports of queries that failed at resolvers. Called on event loops; must not block. */
@FunctionalInterface
public interface UpstreamFailureListener {

    /** Called when a query has failed at {@code backend}, and the cause is neither the queried name nor the client. */
    default void onQueryFailed(Backend backend) {}

    /**
     * Called when several queries in a row have failed at {@code backend}.
     *
     * @param reason plain-text reason
     */
    void onRepeatedFailures(Backend backend, String reason);

    /**
     * Called when a query has failed at all queried resolvers, including {@code backend}. Either the query is
     * the cause, or all of these resolvers are down.
     */
    default void onQueryUnanswered(Backend backend) {}
}
