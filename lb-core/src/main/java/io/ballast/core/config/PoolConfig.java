package io.ballast.core.config;

import io.ballast.core.Checks;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HostHeader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Backends that serve the same thing, and how to balance over them.
 *
 * @param name unique among pools
 * @param strategy the rule that picks a backend
 * @param backends those that are known; an address may stand in the list once
 * @param discover who tells of further ones; none for a pool whose backends are all written down
 * @param health how the backends are checked
 * @param connections deadlines and limits of connections to the backends
 * @param host which {@code Host} header the backends see
 * @param headers what is changed in requests and responses of this pool
 * @param queue where requests wait while every usable backend is full
 * @param retry when a request that failed is tried again
 * @param tls how connections to the backends are secured, if they are
 * @param outlier when a backend whose requests fail is ejected
 * @param slowStart for how long a backend that takes traffic again, or is new in the pool, gets less than its share; zero for
 *     never
 * @param panicBelowPercent if a smaller share of the backends is healthy, requests go to all of them; 0 for never
 * @param maintenance what requests get while the whole pool is under maintenance; absent for a plain 503
 */
public record PoolConfig(
        String name,
        StrategyConfig strategy,
        List<BackendConfig> backends,
        List<PoolDiscovery> discover,
        HealthConfig health,
        BackendConnections connections,
        HostHeader host,
        HeaderRules headers,
        QueueConfig queue,
        RetryConfig retry,
        Optional<BackendTls> tls,
        OutlierConfig outlier,
        Duration slowStart,
        int panicBelowPercent,
        Optional<MaintenancePage> maintenance) {

    public static final HostHeader DEFAULT_HOST = new HostHeader.Keep();

    public PoolConfig {
        backends = List.copyOf(backends);
        discover = List.copyOf(discover);
        Checks.that(!slowStart.isNegative(), "slow_start", slowStart, ">= 0");
        Checks.between(panicBelowPercent, 0, 100, "panic_below");
    }

    /** Whether a backend listens on a Unix socket. */
    public boolean hasUnixSockets() {
        return backends.stream().anyMatch(backend -> backend.address() instanceof UnixSocket);
    }

    /** A pool of this name with no backends yet, everything else as by default. */
    public static PoolConfigBuilder builder(String name) {
        return new PoolConfigBuilder(name);
    }

    /** The same pool, to be changed. */
    public PoolConfigBuilder toBuilder() {
        return builder(name)
                .strategy(strategy)
                .backends(backends)
                .discover(discover)
                .health(health)
                .connections(connections)
                .host(host)
                .headers(headers)
                .queue(queue)
                .retry(retry)
                .tls(tls)
                .outlier(outlier)
                .slowStart(slowStart)
                .panicBelowPercent(panicBelowPercent)
                .maintenance(maintenance);
    }
}
