package io.ballast.http.exchange;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * Takes over backend connections that were opened for one version of HTTP when the backend selected another
 * version with ALPN. Event-loop confined.
 */
@FunctionalInterface
public interface ConnectionAdopter {

    /**
     * Serves requests on a connection on which no application data was read or written after the TLS handshake.
     *
     * @param retired whether the connection may serve only the exchange that waits for it
     * @param channel the channel; this protocol's handler must be added at the end of its pipeline
     * @param reads the read budget of the channel
     * @param waiting the attempt for which the connection was opened; it gets the connection if it is still
     *     valid. Null for none.
     */
    void adopt(
            Backend backend,
            BackendConnections settings,
            boolean retired,
            Channel channel,
            BudgetedRecvByteBufAllocator reads,
            @Nullable AttemptTicket waiting);
}
