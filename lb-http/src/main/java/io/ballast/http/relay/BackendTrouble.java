package io.ballast.http.relay;

import io.ballast.core.backend.Backend;

/** Hears of backends that real traffic could not reach, or that fail it. Called on event loops; must be cheap. */
@FunctionalInterface
public interface BackendTrouble {

    void connectFailed(Backend backend, String reason);

    /** A request failed there, after it was sent or before; called for each. */
    default void exchangeFailed(Backend backend) {}

    /**
     * So many requests failed that the backend should be ejected. Called again while they go on failing, but not for each.
     *
     * @param reason in words: "5 of 5 requests failed: status 503"
     */
    default void requestsFailed(Backend backend, String reason) {}
}
