package io.ballast.http.exchange;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import org.jspecify.annotations.Nullable;

/** Where an event loop gets connections to backends from. Event-loop confined. */
@FunctionalInterface
public interface ConnectionSource {

    /**
     * Returns a connection that is bound to {@code exchange}, or null if there is none at once. In that case the source keeps
     * the exchange's {@linkplain Exchange#ticket ticket}, never the exchange, and uses the ticket later, or at once if no
     * connection can be made.
     *
     * @param fresh whether a connection that served before must not be used
     */
    @Nullable BackendSide open(Backend backend, BackendConnections settings, boolean fresh, Exchange exchange);
}
