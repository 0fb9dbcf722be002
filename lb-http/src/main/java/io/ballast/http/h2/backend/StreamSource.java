package io.ballast.http.h2.backend;

import io.ballast.core.backend.Backend;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.exchange.ConnectionTaker;
import io.ballast.http.exchange.Exchange;
import io.ballast.net.budget.BudgetedReads;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** Where exchanges get their streams to one backend from, on one event loop. Event-loop confined. */
interface StreamSource {

    /** Returns a stream for the exchange; null if it has to wait for one, see {@link ConnectionSource#open}. */
    @Nullable BackendSide open(Exchange exchange, boolean fresh);

    /** Whether there is a connection that can take the exchange, made or being made. */
    boolean hasRoom(Exchange exchange);

    /** Takes over a connection that was made for another protocol: see {@link ConnectionTaker}. */
    void take(Channel channel, BudgetedReads reads, @Nullable AttemptTicket waiting);

    /** To which backend they lead. */
    Backend backend();

    /** Uses no connection for another exchange: each is closed when those that run on it, or wait for it, are over. */
    void retire();

    /** Closes every connection that no exchange uses. */
    void closeIdle();
}
