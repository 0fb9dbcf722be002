package io.ballast.http.exchange;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.net.budget.BudgetedReads;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * Takes connections to backends over that were made for another version of HTTP than the backend chose. Event-loop
 * confined.
 */
@FunctionalInterface
public interface ConnectionTaker {

    /**
     * Serves on a connection of which nothing was read behind TLS, and on which nothing was written.
     *
     * @param retired whether it is to serve nobody but who waits for it now
     * @param channel whose pipeline ends where the handler of this protocol belongs
     * @param reads what the channel reads into
     * @param waiting the attempt that the connection was made for, which gets it if it still waits; null if there is none
     */
    void take(
            Backend backend,
            BackendConnections settings,
            boolean retired,
            Channel channel,
            BudgetedReads reads,
            @Nullable AttemptTicket waiting);
}
