package io.ballast.http.exchange;

import io.ballast.core.stats.Counters;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.log.AccessLog;
import io.ballast.http.relay.BackendFailureListener;
import io.ballast.http.relay.Failure;
import io.ballast.http.relay.InFlightLimit;
import io.ballast.http.route.RouteTable;
import io.ballast.net.clientlimit.ConnectionsPerClient;
import io.ballast.net.config.ClientLimits;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One listener: its active settings and its counters, as seen by its connections. The object exists as long as the
 * configuration has a listener with the same name, address and protocol.
 *
 * <p>Thread safety: the settings are an immutable snapshot in a volatile field, replaced by the control plane. Counters
 * are sharded by event loop. All event loops share the numbers of open connections and running exchanges, because the
 * limits on them apply to the whole listener.
 */
public final class Listener {

    private final BackendFailureListener failureListener;
    private final Counters<ListenerCounter> counters;
    private final Counters<Failure> failures;
    private final AtomicInteger openConnections = new AtomicInteger();
    private final InFlightLimit inFlight;
    private volatile ListenerSettings settings;
    private volatile boolean draining;
    private volatile boolean retiring;
    /** The number of log lines that previous access logs could not write. */
    private volatile long lostByPreviousLogs;

    public Listener(ListenerSettings settings, BackendFailureListener failure, int shards) {
        this.settings = settings;
        this.failureListener = failure;
        this.counters = new Counters<>(ListenerCounter.class, shards);
        this.failures = new Counters<>(Failure.class, shards);
        this.inFlight = new InFlightLimit(config().limits().inFlight());
    }

    /**
     * Creates a listener for HTTP without TLS.
     *
     * @param accessLog the log for its requests; null for none
     */
    public Listener(
            ListenerConfig config,
            RouteTable routes,
            BackendFailureListener failure,
            @Nullable AccessLog accessLog,
            int shards) {
        this(
                ListenerSettings.ofRequests(new ConnectionSettings(config, accessLog, /* tls= */ null), routes),
                failure,
                shards);
    }

    /** The active settings. A caller that needs consistent values must read them once. */
    public ListenerSettings settings() {
        return settings;
    }

    /** Activates new settings. Called by the control plane. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // only the control plane writes it
    public void settings(ListenerSettings next) {
        ClientLimits limits = next.connections().config().limits();
        inFlight.max(limits.inFlight());
        ConnectionsPerClient perClient = next.connections().connectionsPerClient();
        if (perClient != null) {
            perClient.limit(limits.connectionsPerClient());
        }
        AccessLog before = accessLog();
        if (before != null && before != next.connections().accessLog()) {
            lostByPreviousLogs = lostByPreviousLogs + before.lost();
        }
        settings = next;
    }

    /** The active configuration, except its routes. */
    public ListenerConfig config() {
        return settings.connections().config();
    }

    /** The current access log; null for none. */
    public @Nullable AccessLog accessLog() {
        return settings.connections().accessLog();
    }

    /** The number of requests missing from the access log because a queue was full or a write failed. */
    public long accessLogDropped() {
        AccessLog log = accessLog();
        return counters.sum(ListenerCounter.ACCESS_LOG_DROPPED) + lostByPreviousLogs + (log == null ? 0 : log.lost());
    }

    public BackendFailureListener failureListener() {
        return failureListener;
    }

    public Counters<ListenerCounter> counters() {
        return counters;
    }

    public Counters<Failure> failures() {
        return failures;
    }

    /**
     * Counts a new connection of a client. The limit per client does not apply to Unix sockets, because their
     * clients have no address.
     *
     * @param held the settings that the connection keeps; {@link #closed} needs them again
     * @return null if admitted; otherwise the counter for the exceeded limit
     */
    public @Nullable ListenerCounter admit(ConnectionSettings held, SocketAddress client) {
        if (openConnections.incrementAndGet() > held.config().limits().connections()) {
            openConnections.decrementAndGet();
            return ListenerCounter.CONNECTIONS_REFUSED;
        }
        ConnectionsPerClient perClient = held.connectionsPerClient();
        if (perClient != null && client instanceof InetSocketAddress inet && !perClient.admit(inet.getAddress())) {
            openConnections.decrementAndGet();
            return ListenerCounter.CONNECTIONS_REFUSED_PER_CLIENT;
        }
        return null;
    }

    /** Records the end of a connection that was admitted with the settings {@code held}. */
    public void closed(ConnectionSettings held, SocketAddress client) {
        ConnectionsPerClient perClient = held.connectionsPerClient();
        if (perClient != null && client instanceof InetSocketAddress inet) {
            perClient.release(inet.getAddress());
        }
        openConnections.decrementAndGet();
    }

    public int openConnections() {
        return openConnections.get();
    }

    /** The limit on concurrent exchanges. */
    public InFlightLimit inFlight() {
        return inFlight;
    }

    /**
     * Whether a connection must close after its current exchange, because the listener is ending or its settings
     * differ from those of the connection. Cost: two volatile reads.
     */
    public boolean isLastExchange(ConnectionSettings held) {
        return retiring || settings.connections() != held;
    }

    /** Whether every connection must close after its current exchange. */
    public boolean isDraining() {
        return draining;
    }

    /** Makes each connection, including new ones, end after its next exchange. */
    public void retire() {
        retiring = true;
    }

    public void drain() {
        retiring = true;
        draining = true;
    }
}
