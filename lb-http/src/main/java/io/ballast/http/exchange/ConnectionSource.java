package io.ballast.http.exchange;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;

/** Where an event loop gets connections to backends from. */
public interface ConnectionSource {

    /**
     * Yields a connection: calls {@link Exchange#connected} or {@link Exchange#connectFailed}, at once or later, unless
     * the exchange was given up meanwhile.
     *
     * @param fresh whether a connection that served before must not be used
     */
    void open(Backend backend, BackendConnections settings, boolean fresh, Exchange exchange);
}
