package io.ballast.dns.forward;

import io.ballast.core.backend.Backend;

/** Receives failures of resolvers. Called on event loops; must not block. */
@FunctionalInterface
public interface UpstreamFailureListener {

    /** A query failed there, and neither its name nor its client can be the reason. */
    default void onQueryFailed(Backend backend) {}

    /**
     * One query after the other failed there.
     *
     * @param reason in words
     */
    void onRepeatedFailures(Backend backend, String reason);

    /**
     * A query failed at all queried resolvers, including this one: the query may be the cause, or all of them are
     * down.
     */
    default void onQueryUnanswered(Backend backend) {}
}
