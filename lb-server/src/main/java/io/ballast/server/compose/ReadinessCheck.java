package io.ballast.server.compose;

import io.ballast.config.BallastConfig;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.dns.config.DnsConfig;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks whether the services of this process have the usable backends that the configuration requires. Immutable;
 * reads the pools' snapshots, from any thread.
 *
 * @param needs the needs of the services; all of them must be met
 */
record ReadinessCheck(List<Need> needs) {

    ReadinessCheck {
        needs = List.copyOf(needs);
    }

    static ReadinessCheck of(BallastConfig config, Topology topology) {
        return new ReadinessCheck(
                switch (config.dashboard().readyWhen()) {
                    case EVERY_LISTENER ->
                        Stream.concat(
                                        config.listeners().stream()
                                                .map(listener -> new Need(
                                                        "listener " + listener.name(), pools(listener, topology)))
                                                .filter(need -> !need.pools().isEmpty()),
                                        forwarder(config, topology).stream())
                                .toList();
                    case EVERY_POOL ->
                        topology.poolList().stream()
                                .map(pool -> new Need("pool " + pool.name(), List.of(pool)))
                                .toList();
                    case STARTED -> List.of();
                });
    }

    /** Describes the readiness conditions that are not met; empty if the process is ready. */
    Optional<String> missing() {
        String missing = needs.stream()
                .filter(need -> !need.isMet())
                .map(need -> need.name() + " has no usable backend")
                .collect(Collectors.joining("; "));
        return missing.isEmpty() ? Optional.empty() : Optional.of(missing);
    }

    /**
     * The readiness condition for the default resolvers of {@code dns.forward}, without which most names
     * outside the zones cannot be resolved. The resolvers of individual routes are not required.
     */
    private static Optional<Need> forwarder(BallastConfig config, Topology topology) {
        return config.dns()
                .flatMap(DnsConfig::forward)
                .map(forward -> forward.upstream().pool())
                .map(pool -> new Need("dns.forward: pool " + pool, List.of(topology.pool(pool))));
    }

    /** The pools that a listener's requests may go to. */
    private static List<Pool> pools(ListenerConfig listener, Topology topology) {
        return listener.routes().stream()
                .map(RouteConfig::action)
                .flatMap(ReadinessCheck::names)
                .distinct()
                .map(topology::pool)
                .toList();
    }

    private static Stream<String> names(RouteAction action) {
        return action.shares().stream().filter(share -> share.weight() > 0).map(RouteAction.Share::pool);
    }

    /**
     * A readiness condition for a set of pools.
     *
     * @param pools at least one of them must have a usable backend, or be under maintenance
     */
    record Need(String name, List<Pool> pools) {

        Need {
            pools = List.copyOf(pools);
        }

        boolean isMet() {
            return pools.stream()
                    .anyMatch(pool -> !pool.snapshot().healthy().isEmpty()
                            || pool.maintenance().isPresent());
        }
    }
}
