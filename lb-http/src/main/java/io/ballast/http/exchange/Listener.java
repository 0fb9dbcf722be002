package io.ballast.http.exchange;

import io.ballast.core.config.ListenerConfig;
import io.ballast.core.net.CidrSet;
import io.ballast.core.stats.Counters;
import io.ballast.http.header.ListenerHeaders;
import io.ballast.http.route.RouteTable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One listener as its connections see it: its configuration, the routing table in force, and its counters.
 *
 * <p>Thread safety: the table is an immutable snapshot behind a volatile field; counters are sharded by event loop;
 * the number of open connections is shared by all loops, since it limits them together.
 */
public final class Listener {

    private final ListenerConfig config;
    private final BackendTrouble trouble;
    private final ListenerHeaders headers;
    private final CidrSet trustedProxies;
    private final Counters<ListenerCounter> counters;
    private final Counters<Failure> failures;
    private final AtomicInteger openConnections = new AtomicInteger();
    private volatile RouteTable routes;
    private volatile boolean draining;

    public Listener(ListenerConfig config, RouteTable routes, BackendTrouble trouble, int shards) {
        this.config = config;
        this.routes = routes;
        this.trouble = trouble;
        this.headers = new ListenerHeaders(config);
        this.trustedProxies = CidrSet.of(config.trustedProxies());
        this.counters = new Counters<>(ListenerCounter.class, shards);
        this.failures = new Counters<>(Failure.class, shards);
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

    public BackendTrouble trouble() {
        return trouble;
    }

    public Counters<ListenerCounter> counters() {
        return counters;
    }

    public Counters<Failure> failures() {
        return failures;
    }

    /** Counts a new connection; false if there are as many as allowed, and then it is not counted. */
    public boolean admit() {
        if (openConnections.incrementAndGet() <= config.limits().connections()) {
            return true;
        }
        openConnections.decrementAndGet();
        return false;
    }

    public void closed() {
        openConnections.decrementAndGet();
    }

    public int openConnections() {
        return openConnections.get();
    }

    /** Whether connections are to be closed as soon as their present exchange is over. */
    public boolean isDraining() {
        return draining;
    }

    public void drain() {
        draining = true;
    }
}
