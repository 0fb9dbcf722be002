package io.ballast.http.exchange;

import io.ballast.core.config.ClientLimits;
import io.ballast.core.config.ListenerConfig;
import io.ballast.core.net.CidrSet;
import io.ballast.core.stats.Counters;
import io.ballast.http.head.UpgradeProtocol;
import io.ballast.http.header.ListenerHeaders;
import io.ballast.http.log.AccessLog;
import io.ballast.http.relay.BackendTrouble;
import io.ballast.http.relay.Failure;
import io.ballast.http.relay.InFlightLimit;
import io.ballast.http.route.RouteTable;
import io.ballast.net.clientlimit.ConnectionsPerClient;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One listener as its connections see it: its configuration, the routing table in force, and its counters.
 *
 * <p>Thread safety: the table is an immutable snapshot behind a volatile field; counters are sharded by event loop;
 * the numbers of open connections and of running exchanges are shared by all loops, since they limit them together.
 */
public final class Listener {

    private final ListenerConfig config;
    private final BackendTrouble trouble;
    private final ListenerHeaders headers;
    private final CidrSet trustedProxies;
    private final @Nullable CidrSet proxies;
    private final @Nullable AccessLog accessLog;
    private final List<UpgradeProtocol> upgrades;
    private final Counters<ListenerCounter> counters;
    private final Counters<Failure> failures;
    private final AtomicInteger openConnections = new AtomicInteger();
    private final InFlightLimit inFlight;
    private final @Nullable ConnectionsPerClient perClient;
    private volatile RouteTable routes;
    private volatile boolean draining;

    /** @param accessLog where its requests are logged; null if they are not */
    public Listener(
            ListenerConfig config,
            RouteTable routes,
            BackendTrouble trouble,
            @Nullable AccessLog accessLog,
            int shards) {
        this.config = config;
        this.routes = routes;
        this.trouble = trouble;
        this.headers = new ListenerHeaders(config);
        this.accessLog = accessLog;
        this.upgrades = UpgradeProtocol.all(config.upgrades());
        this.trustedProxies = CidrSet.of(config.trustedProxies());
        this.proxies = config.proxyProtocol()
                .map(proxyProtocol -> CidrSet.of(proxyProtocol.trusted()))
                .orElse(null);
        this.counters = new Counters<>(ListenerCounter.class, shards);
        this.failures = new Counters<>(Failure.class, shards);
        ClientLimits limits = config.limits();
        this.inFlight = new InFlightLimit(limits.inFlight());
        this.perClient = limits.connectionsPerClient() == 0
                ? null
                : new ConnectionsPerClient(limits.connectionsPerClient(), limits.ipv6PrefixBits());
    }

    public ListenerConfig config() {
        return config;
    }

    public RouteTable routes() {
        return routes;
    }

    /** Puts another routing table in force for the next requests. */
    public void routes(RouteTable next) {
        routes = next;
    }

    /** What it says about headers before a route is known. */
    public ListenerHeaders headers() {
        return headers;
    }

    /** The peers whose word about their clients counts. */
    public CidrSet trustedProxies() {
        return trustedProxies;
    }

    /** The protocols that clients may switch to. */
    public List<UpgradeProtocol> upgrades() {
        return upgrades;
    }

    /** The peers that say by the PROXY protocol who their clients are; null if clients connect themselves. */
    public @Nullable CidrSet proxies() {
        return proxies;
    }

    /** WebSocket if clients may switch to it; null if not. */
    public @Nullable UpgradeProtocol webSocket() {
        return upgrades.stream()
                .filter(UpgradeProtocol::isWebSocket)
                .findFirst()
                .orElse(null);
    }

    /** Where its requests are logged; null if they are not. */
    public @Nullable AccessLog accessLog() {
        return accessLog;
    }

    /** How many requests should have been logged and were not, because queue or disk could not take them. */
    public long accessLogDropped() {
        return counters.sum(ListenerCounter.ACCESS_LOG_DROPPED) + (accessLog == null ? 0 : accessLog.lost());
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
     * @return null if it may stay; else what it is to be counted as instead, since there are as many as allowed
     */
    public @Nullable ListenerCounter admit(SocketAddress client) {
        if (openConnections.incrementAndGet() > config.limits().connections()) {
            openConnections.decrementAndGet();
            return ListenerCounter.CONNECTIONS_REFUSED;
        }
        if (perClient != null && client instanceof InetSocketAddress inet && !perClient.admit(inet.getAddress())) {
            openConnections.decrementAndGet();
            return ListenerCounter.CONNECTIONS_REFUSED_PER_CLIENT;
        }
        return null;
    }

    /** An admitted connection of a client has ended. */
    public void closed(SocketAddress client) {
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

    /** Whether connections are to be closed as soon as their present exchange is over. */
    public boolean isDraining() {
        return draining;
    }

    public void drain() {
        draining = true;
    }
}
