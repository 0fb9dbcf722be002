package io.ballast.discovery;

import io.ballast.config.BallastConfig;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.DiscoveryConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.PoolDiscovery;
import io.ballast.dashboard.config.DashboardConfig;
import io.ballast.discovery.source.DiscoveredBackend;
import io.ballast.net.config.TransportKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Configurations and backends for tests. */
final class DiscoveryFixture {

    private DiscoveryFixture() {}

    static PoolDiscovery named(String name) {
        return PoolDiscovery.of(new DiscoveryConfig.Names(name, 80));
    }

    static DiscoveredBackend at(String host) {
        return DiscoveredBackend.at(new HostPort(host, 80));
    }

    static BackendConfig backend(String host, int weight) {
        return new BackendConfig(new HostPort(host, 80), weight, BackendConfig.DEFAULT_PRIORITY);
    }

    static PoolConfig pool(String name, List<BackendConfig> backends, PoolDiscovery... discover) {
        return PoolConfig.builder(name)
                .backends(backends)
                .discover(List.of(discover))
                .build();
    }

    static BallastConfig config(PoolConfig pool) {
        return new BallastConfig(
                List.of(),
                Map.of(pool.name(), pool),
                Optional.empty(),
                DashboardConfig.DEFAULT,
                1,
                TransportKind.AUTO,
                Duration.ZERO,
                Path.of("unused"));
    }
}
