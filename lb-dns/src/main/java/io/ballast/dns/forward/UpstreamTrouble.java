package io.ballast.dns.forward;

import io.ballast.core.backend.Backend;

/** Is told of resolvers that fail. Called on event loops; returns at once. */
@FunctionalInterface
public interface UpstreamTrouble {

    /** A query failed there: it was not answered, or by SERVFAIL. */
    default void queryFailed(Backend backend) {}

    /**
     * One query after the other failed there.
     *
     * @param reason in words
     */
    void queriesFailed(Backend backend, String reason);
}
