package io.ballast.http.exchange;

import io.ballast.core.stats.Counters;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.log.AccessLog;
import io.ballast.http.relay.BackendTrouble;
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
 * One listener as its connections see it: the settings in force, and its counters. It is the same for as long as the
 * configuration has a listener of its name, address and protocol.
 *
 * <p>Thread safety: the settings are an immutable snapshot behind a volatile field, replaced by the control plane; counters
 * are sharded by event loop; the numbers of open connections and of running exchanges are shared by all loops, since they
 * limit them together.
 */
public final class Listener {

    private final BackendTrouble trouble;
    private final Counters<ListenerCounter> counters;
    private final Counters<Failure> failures;
    private final AtomicInteger openConnections = new AtomicInteger();
    private final InFlightLimit inFlight;
    private volatile ListenerSettings settings;
    private volatile boolean draining;
    private volatile boolean retiring;
    /** What former logs could not write. */
    private volatile long lostBefore;

    public Listener(ListenerSettings settings, BackendTrouble trouble, int shards) {
        this.settings = settings;
        this.trouble = trouble;
        this.counters = new Counters<>(ListenerCounter.class, shards);
        this.failures = new Counters<>(Failure.class, shards);
        this.inFlight = new InFlightLimit(config().limits().inFlight());
    }

    /**
     * A listener for HTTP without TLS.
     *
     * @param accessLog where its requests are logged; null if they are not
     */
    public Listener(
            ListenerConfig config,
            RouteTable routes,
            BackendTrouble trouble,
            @Nullable AccessLog accessLog,
            int shards) {
        this(
                ListenerSettings.ofRequests(new ConnectionSettings(config, accessLog, /* tls= */ null), routes),
                trouble,
                shards);
    }

    /** What is in force now. To be read once for what belongs together. */
    public ListenerSettings settings() {
        return settings;
    }

    /** Puts other settings in force. Called by the control plane. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // only the control plane writes it
    public void settings(ListenerSettings next) {
        ClientLimits limits = next.connections().config().limits();
        inFlight.most(limits.inFlight());
        ConnectionsPerClient perClient = next.connections().perClient();
        if (perClient != null) {
            perClient.limit(limits.connectionsPerClient());
        }
        AccessLog before = accessLog();
        if (before != null && before != next.connections().accessLog()) {
            lostBefore = lostBefore + before.lost();
        }
        settings = next;
    }

    /** The configuration in force, but for its routes. */
    public ListenerConfig config() {
        return settings.connections().config();
    }

    /** Where its requests are logged now; null if they are not. */
    public @Nullable AccessLog accessLog() {
        return settings.connections().accessLog();
    }

    /** How many requests should have been logged and were not, because queue or disk could not take them. */
    public long accessLogDropped() {
        AccessLog log = accessLog();
        return counters.sum(ListenerCounter.ACCESS_LOG_DROPPED) + lostBefore + (log == null ? 0 : log.lost());
    }

    public BackendTrouble trouble() {
        return trouble;
    }

    public Counters<ListenerCounter> counters() {
        return counters;
    }

    public Counters<Failure> failures() {
        return failures;
    }

    /**
     * Counts a new connection of a client, which by a Unix socket is nobody in particular.
     *
     * @param held the settings that the connection keeps, by which it is counted off again
     * @return null if it may stay; else what it is to be counted as instead, since there are as many as allowed
     */
    public @Nullable ListenerCounter admit(ConnectionSettings held, SocketAddress client) {
        if (openConnections.incrementAndGet() > held.config().limits().connections()) {
            openConnections.decrementAndGet();
            return ListenerCounter.CONNECTIONS_REFUSED;
        }
        ConnectionsPerClient perClient = held.perClient();
        if (perClient != null && client instanceof InetSocketAddress inet && !perClient.admit(inet.getAddress())) {
            openConnections.decrementAndGet();
            return ListenerCounter.CONNECTIONS_REFUSED_PER_CLIENT;
        }
        return null;
    }

    /** A connection of a client that was admitted with these settings has ended. */
    public void closed(ConnectionSettings held, SocketAddress client) {
        ConnectionsPerClient perClient = held.perClient();
        if (perClient != null && client instanceof InetSocketAddress inet) {
            perClient.closed(inet.getAddress());
        }
        openConnections.decrementAndGet();
    }

    public int openConnections() {
        return openConnections.get();
    }

    /** How many exchanges may run at once. */
    public InFlightLimit inFlight() {
        return inFlight;
    }

    /**
     * Whether a connection is to be closed as soon as its present exchange is over: the listener is ending, or has other
     * settings than those that the connection has kept. Two volatile reads.
     */
    public boolean isLastExchange(ConnectionSettings held) {
        return retiring || settings.connections() != held;
    }

    /** Whether no connection outlives its present exchange. */
    public boolean isDraining() {
        return draining;
    }

    /** Has each connection end with its next exchange, also those that come. */
    public void retire() {
        retiring = true;
    }

    public void drain() {
        retiring = true;
        draining = true;
    }
}
