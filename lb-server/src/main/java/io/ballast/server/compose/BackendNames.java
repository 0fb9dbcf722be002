package io.ballast.server.compose;

import io.ballast.config.BallastConfig;
import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.balance.Member;
import io.ballast.core.config.Address;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.AddressMove;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.discovery.names.NameFollower;
import io.ballast.discovery.names.NameLookup;
import io.ballast.discovery.names.NameResolver;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resolves the host names of a balancer's backends before a topology is built, and updates their addresses
 * while it runs.
 */
final class BackendNames implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(BackendNames.class);

    /** The maximum number of concurrent lookups; further lookups wait. */
    private static final int MAX_AT_ONCE = 16;

    /** The maximum total time to wait for the addresses of all host names in a configuration. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Background threads = Background.of("names", MAX_AT_ONCE);
    private final ControlPlane control;
    private final NameResolver resolver;
    private final NameFollower follower;

    /**
     * @param changes executor that runs a task on the control plane while no other change of the topology is
     *     running
     * @param moved receives the changed addresses, by host name, and activates them
     */
    BackendNames(NameLookup lookup, ControlPlane control, Executor changes, Consumer<Map<String, InetAddress>> moved) {
        this.control = control;
        this.resolver = new NameResolver(lookup, threads);
        this.follower = new NameFollower(control, resolver, threads, changes, moved);
    }

    /** The resolver of all names that were passed to {@link #lookUp}. */
    NameResolver resolver() {
        return resolver;
    }

    /** Resolves the names of a configuration before it is activated; takes at most 5 s. */
    void lookUp(BallastConfig config) {
        resolver.lookUpAll(names(config), TIMEOUT);
    }

    /** Resolves only names that were never resolved; the other names are refreshed when they are due. */
    void lookUpNew(BallastConfig config) {
        Set<String> names = names(config);
        names.removeIf(resolver::wasLookedUp);
        if (!names.isEmpty()) {
            resolver.lookUpAll(names, TIMEOUT);
        }
    }

    private static Set<String> names(BallastConfig config) {
        return config.pools().values().stream()
                .flatMap(pool -> pool.backends().stream())
                .map(BackendConfig::address)
                .filter(NameResolver::isName)
                .map(Address::host)
                .collect(Collectors.toCollection(HashSet::new));
    }

    /**
     * Starts to track the addresses of the names in {@code topology}, and stops tracking all other names. Called
     * on the control plane's thread.
     */
    void follow(Topology topology) {
        follower.follow(topology);
    }

    /** Like {@link #follow}, for the first topology; also records the backends without an address. */
    void start(Topology topology) {
        for (Pool pool : topology.poolList()) {
            for (Member member : pool.members()) {
                Backend backend = member.backend();
                if (!backend.isResolved()) {
                    control.changeLog()
                            .add(
                                    "pool=" + pool.name() + " state=down",
                                    "backend=" + backend + " state=down reason=\""
                                            + backend.health().reason() + "\"",
                                    LOG::warn);
                    control.timeline()
                            .add(
                                    Origin.START,
                                    backend.toString(),
                                    "down: " + backend.health().reason());
                }
            }
        }
        follow(topology);
    }

    /** Records changed addresses. Called on the control plane's thread. */
    void recordMoves(List<AddressMove> moves) {
        for (AddressMove move : moves) {
            Backend backend = move.backend();
            LOG.info("backend={} msg=\"{}\"", backend, move.text());
            control.timeline().add(Origin.CHECK, backend.toString(), move.text());
        }
    }

    @Override
    public void close() {
        threads.close();
    }
}
