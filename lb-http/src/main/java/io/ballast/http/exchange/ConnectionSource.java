package io.ballast.http.exchange;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import org.jspecify.annotations.Nullable;

/** Opens connections to backends on one event loop. Event-loop confined. */
@FunctionalInterface
public interface ConnectionSource {

    /**
     * Returns a connection that is bound to {@code exchange}, or null if none is available immediately. In that case
     * the source keeps the exchange's {@linkplain Exchange#ticket ticket}, never the exchange. It uses the ticket when
     * a connection is available, or immediately if the attempt must fail.
     *
     * @param fresh whether the connection must not have served a request before
     */
    @Nullable BackendSide open(Backend backend, BackendConnections settings, boolean fresh, Exchange exchange);
}
