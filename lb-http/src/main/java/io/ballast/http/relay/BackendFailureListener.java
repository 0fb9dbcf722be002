package io.ballast.http.relay;

import io.ballast.core.backend.Backend;

/** Receives connect and request failures of backends in live traffic. Called on event loops; must be cheap. */
@FunctionalInterface
public interface BackendFailureListener {

    void connectFailed(Backend backend, String reason);

    /** Called for each request that failed on the backend, whether or not the request had been sent. */
    default void exchangeFailed(Backend backend) {}

    /**
     * Called when enough requests have failed to eject the backend. Called again while failures continue, but not for
     * each failure.
     *
     * @param reason text such as "5 of 5 requests failed: status 503"
     */
    default void requestsFailed(Backend backend, String reason) {}
}
