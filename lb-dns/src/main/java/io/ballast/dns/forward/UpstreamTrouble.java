package io.ballast.dns.forward;

import io.ballast.core.backend.Backend;

/** Is told of resolvers that fail one query after the other. Called on event loops; returns at once. */
@FunctionalInterface
public interface UpstreamTrouble {

    /** @param reason in words */
    void queriesFailed(Backend backend, String reason);
}
