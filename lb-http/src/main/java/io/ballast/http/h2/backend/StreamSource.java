package io.ballast.http.h2.backend;

import io.ballast.core.backend.Backend;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ConnectionAdopter;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.exchange.Exchange;
import io.ballast.net.budget.BudgetedRecvByteBufAllocator;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** Opens streams to one backend on one event loop. Event-loop confined. */
interface StreamSource {

    /** Returns a stream for the exchange; null if the exchange has to wait: see {@link ConnectionSource#open}. */
    @Nullable BackendSide open(Exchange exchange, boolean fresh);

    /** Whether a connection that is open or being opened can take the exchange. */
    boolean hasCapacity(Exchange exchange);

    /** Takes over a connection that was opened for another HTTP version; see {@link ConnectionAdopter}. */
    void adopt(Channel channel, BudgetedRecvByteBufAllocator reads, @Nullable AttemptTicket waiting);

    /** The backend of the connections. */
    Backend backend();

    /** Retires all connections: each closes when its running and waiting exchanges have ended. */
    void retire();

    /** Closes one idle connection; false if there is none. */
    boolean closeOneIdle();

    /** Closes all idle connections. */
    void closeIdle();
}
