package io.ballast.http.exchange;

import io.ballast.http.net.ProxiedClient;
import io.ballast.http.relay.Failure;
import org.jspecify.annotations.Nullable;

/**
 * Identifies one attempt of an exchange that waits for a connection. Code that cannot give an exchange a
 * connection immediately keeps a ticket and never the exchange. A client connection uses one {@link Exchange}
 * object for many requests, so a stored exchange may belong to another request when the connection is ready.
 *
 * <p>A ticket is valid while its attempt waits for a connection. It becomes invalid permanently when the
 * attempt is connected, fails, or is given up. Every method that acts on the exchange checks {@link #isValid}
 * first and does nothing if the ticket is invalid. Only tickets can connect an exchange or fail its attempt.
 *
 * <p>Event-loop confined, except for {@link #client}. Cost: one small object for each attempt that has to
 * wait.
 */
public final class AttemptTicket {

    /** Binds an exchange to a connection, or to one slot or stream of a shared connection. */
    @FunctionalInterface
    public interface Binder {

        /**
         * Returns the connection that was bound to {@code exchange}, or null if the exchange still has to wait or its
         * attempt has failed. The exchange must not be stored unless a connection is returned.
         */
        @Nullable BackendSide bind(Exchange exchange);
    }

    private final Exchange exchange;
    private final long attempt;

    AttemptTicket(Exchange exchange, long attempt) {
        this.exchange = exchange;
        this.attempt = attempt;
    }

    /** Whether the attempt still waits for a connection. */
    public boolean isValid() {
        return exchange.isConnecting(attempt);
    }

    /**
     * Lets {@code binder} bind the exchange to a connection, and sends the request; returns false if the ticket
     * is not valid.
     */
    public boolean connect(Binder binder) {
        if (!isValid()) {
            return false;
        }
        exchange.connected(binder.bind(exchange));
        return true;
    }

    /**
     * Reports that the connection could not be established. This counts as a failed connect if the backend caused it.
     *
     * @param reason for operators; empty if there is none
     */
    public void connectFailed(Failure failure, String reason) {
        if (isValid()) {
            exchange.connectFailed(failure, reason);
        }
    }

    /** Reports that no connection became free in time; the backend itself did not fail. */
    public void waitTimedOut() {
        if (isValid()) {
            exchange.backendFailed(Failure.QUEUE_TIMEOUT, /* reason= */ "");
        }
    }

    /** Whether the request asks for another protocol. Defined only while the ticket is valid. */
    public boolean isUpgradeRequest() {
        return exchange.request().upgrade() != null;
    }

    /** Whether the request asks for a WebSocket. Defined only while the ticket is valid. */
    public boolean isWebSocketRequest() {
        return exchange.request().isWebSocket();
    }

    /**
     * The client that PROXY headers identify to backends, the same for all exchanges of a client connection; null
     * if its addresses are unknown.
     */
    public @Nullable ProxiedClient proxiedClient() {
        return exchange.proxiedClient();
    }

    /** Identifies the client connection: the same object for all its exchanges. */
    public Object client() {
        ProxiedClient client = exchange.proxiedClient();
        return client == null ? exchange : client.client();
    }
}
