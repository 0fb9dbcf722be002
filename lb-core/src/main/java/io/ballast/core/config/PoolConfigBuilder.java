package io.ballast.core.config;

import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HostHeader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Builds a {@link PoolConfig}; unset options have their defaults. Confined to one thread. */
public final class PoolConfigBuilder {

    private final String name;
    private StrategyConfig strategy = StrategyConfig.DEFAULT;
    private List<BackendConfig> backends = List.of();
    private List<PoolDiscovery> discover = List.of();
    private HealthConfig health = HealthConfig.DEFAULT;
    private BackendConnections connections = BackendConnections.DEFAULT;
    private HostHeader host = PoolConfig.DEFAULT_HOST;
    private HeaderRules headers = HeaderRules.NONE;
    private QueueConfig queue = QueueConfig.DEFAULT;
    private RetryConfig retry = RetryConfig.DEFAULT;
    private Optional<BackendTls> tls = Optional.empty();
    private OutlierConfig outlier = OutlierConfig.DEFAULT;
    private Duration slowStart = Duration.ZERO;
    private int panicBelowPercent;
    private Optional<MaintenancePage> maintenance = Optional.empty();

    PoolConfigBuilder(String name) {
        this.name = name;
    }

    public PoolConfigBuilder strategy(StrategyConfig strategy) {
        this.strategy = strategy;
        return this;
    }

    public PoolConfigBuilder backends(List<BackendConfig> backends) {
        this.backends = backends;
        return this;
    }

    public PoolConfigBuilder discover(List<PoolDiscovery> discover) {
        this.discover = discover;
        return this;
    }

    public PoolConfigBuilder health(HealthConfig health) {
        this.health = health;
        return this;
    }

    public PoolConfigBuilder connections(BackendConnections connections) {
        this.connections = connections;
        return this;
    }

    public PoolConfigBuilder host(HostHeader host) {
        this.host = host;
        return this;
    }

    public PoolConfigBuilder headers(HeaderRules headers) {
        this.headers = headers;
        return this;
    }

    public PoolConfigBuilder queue(QueueConfig queue) {
        this.queue = queue;
        return this;
    }

    public PoolConfigBuilder retry(RetryConfig retry) {
        this.retry = retry;
        return this;
    }

    public PoolConfigBuilder tls(Optional<BackendTls> tls) {
        this.tls = tls;
        return this;
    }

    public PoolConfigBuilder outlier(OutlierConfig outlier) {
        this.outlier = outlier;
        return this;
    }

    public PoolConfigBuilder slowStart(Duration slowStart) {
        this.slowStart = slowStart;
        return this;
    }

    public PoolConfigBuilder panicBelowPercent(int panicBelowPercent) {
        this.panicBelowPercent = panicBelowPercent;
        return this;
    }

    public PoolConfigBuilder maintenance(Optional<MaintenancePage> maintenance) {
        this.maintenance = maintenance;
        return this;
    }

    /** Returns the pool; rejects options that contradict each other. */
    public PoolConfig build() {
        return new PoolConfig(
                name,
                strategy,
                backends,
                discover,
                health,
                connections,
                host,
                headers,
                queue,
                retry,
                tls,
                outlier,
                slowStart,
                panicBelowPercent,
                maintenance);
    }
}
