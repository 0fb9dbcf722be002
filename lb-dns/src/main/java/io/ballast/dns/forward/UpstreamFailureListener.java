package io.ballast.dns.forward;

import io.ballast.core.backend.Backend;

/** Receives failures of resolvers. Called on event loops; must not block. */
@FunctionalInterface
public interface UpstreamFailureListener {

    /** A query failed there, and neither its name nor its client can be the reason. */
    default void queryFailed(Backend backend) {}

    /**
     * One query after the other failed there.
     *
     * @param reason in words
     */
    void queriesFailed(Backend backend, String reason);

    /**
     * A query failed at every resolver that was asked, this one among them: the query may be the reason, or all of them
     * are down.
     */
    default void queryUnanswered(Backend backend) {}
}
