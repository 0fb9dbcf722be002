package io.ballast.http.h2.backend;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendProtocol;
import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.relay.Failure;
import io.ballast.net.timer.DeadlineWheel;
import org.jspecify.annotations.Nullable;

/**
 * Opens the streams of a connection, within the backend's limit. Before the backend's SETTINGS arrive, only one
 * exchange gets a stream; WebSocket requests and all other exchanges wait. Event-loop confined.
 */
final class StreamOpener {

    /** Maximum number of concurrent streams per connection, if the backend sets no lower limit. */
    static final int MAX_STREAMS = 100;

    /** Stream number at which a new connection is opened, before stream numbers are exhausted. */
    private static final int LAST_STREAM = Integer.MAX_VALUE - 1_000;

    private final Http2BackendConnection connection;
    private final Http2BackendPool pool;
    private final BackendStreams streams;
    private final PendingAttempts waiters;
    private final BackendFrames frameHandler;
    private final KeepalivePing pings;
    private final DeadlineWheel.Deadline deadline;

    private int nextStream = 1;

    /**
     * @param waiters the attempts that wait for a stream
     * @param frameHandler receives the backend's SETTINGS
     * @param deadline the connection's deadline; cleared when a stream starts after the SETTINGS frame has
     *     arrived
     */
    StreamOpener(
            Http2BackendConnection connection,
            Http2BackendPool pool,
            BackendStreams streams,
            PendingAttempts waiters,
            BackendFrames frameHandler,
            KeepalivePing pings,
            DeadlineWheel.Deadline deadline) {
        this.connection = connection;
        this.pool = pool;
        this.streams = streams;
        this.waiters = waiters;
        this.frameHandler = frameHandler;
        this.pings = pings;
        this.deadline = deadline;
    }

    /** Whether the stream limit allows another stream, if each waiting attempt gets a stream, too. */
    boolean hasCapacity() {
        int max = maxStreams();
        if (streams.count() + waiters.size() >= max) {
            waiters.sweep(); // cancelled attempts do not need streams
        }
        return streams.count() + waiters.size() < max;
    }

    private int maxStreams() {
        return Math.min(
                MAX_STREAMS,
                frameHandler.hasReceivedSettings()
                        ? frameHandler.settings().maxStreams()
                        : Math.max(1, pool.maxStreams()));
    }

    /** Returns a stream for an exchange; null if the exchange has to wait. */
    @Nullable BackendSide open(Exchange exchange) {
        if (connection.isConnecting()
                || (!frameHandler.hasReceivedSettings() && (exchange.request().isWebSocket() || !streams.isEmpty()))) {
            waiters.add(exchange.ticket());
            return null;
        }
        return start(exchange);
    }

    private @Nullable BackendSide start(Exchange exchange) {
        if (exchange.request().isWebSocket() && !frameHandler.settings().supportsExtendedConnect()) {
            if (pool.settings().protocol() == BackendProtocol.AUTO) {
                return connection.loop().openHttp1WebSocket(pool.backend(), pool.settings(), exchange);
            }
            exchange.ticket()
                    .connectFailed(Failure.TUNNEL_UNSUPPORTED, "the backend's HTTP/2 settings do not allow WebSockets");
            return null;
        }
        pool.markUsed(connection);
        boolean reused = nextStream > 1;
        if (reused) {
            connection.counters().increment(BackendCounter.REUSES);
        }
        if (streams.isEmpty()) {
            pings.begin();
        }
        BackendStream stream = streams.add(nextStream);
        stream.begin(nextStream, frameHandler.settings().initialWindow(), reused, exchange);
        nextStream += 2;
        if (nextStream > LAST_STREAM) {
            connection.drain();
        }
        if (frameHandler.hasReceivedSettings()) {
            connection.loop().worker.deadlines().clear(deadline);
        }
        return stream;
    }

    /**
     * Starts exchanges from the wait queue: one until the backend's SETTINGS frame arrives, then as many as the
     * backend's stream limit allows.
     */
    void startWaiting() {
        while (!connection.isClosed()
                && (frameHandler.hasReceivedSettings() ? streams.count() < maxStreams() : streams.isEmpty())) {
            AttemptTicket next = waiters.next(/* tunnels= */ frameHandler.hasReceivedSettings());
            if (next == null) {
                return;
            }
            next.connect(this::start);
        }
    }

    /** Moves the exchanges that still wait for a stream to another connection. */
    void moveWaiting() {
        for (AttemptTicket next = waiters.next(); next != null; next = waiters.next()) {
            next.connect(exchange -> pool.open(exchange, /* fresh= */ false));
        }
    }

    /** Whether the stream was opened on this connection. */
    boolean hasOpened(int stream) {
        return (stream & 1) == 1 && stream < nextStream;
    }
}
