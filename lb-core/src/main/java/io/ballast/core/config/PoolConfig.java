package io.ballast.core.config;

import io.ballast.core.Checks;
import java.util.List;
import java.util.Optional;

/**
 * Backends that serve the same thing, and how to balance over them.
 *
 * @param name unique among pools
 * @param strategy the rule that picks a backend
 * @param backends at least one; an address may stand in the list once
 * @param health how the backends are checked
 * @param connections deadlines and limits of connections to the backends
 * @param host which {@code Host} header the backends see
 * @param headers what is changed in requests and responses of this pool
 * @param queue where requests wait while every usable backend is full
 * @param retry when a request that failed is tried again
 * @param tls how connections to the backends are secured, if they are
 * @param outlier when a backend whose requests fail is ejected
 */
public record PoolConfig(
        String name,
        StrategyConfig strategy,
        List<BackendConfig> backends,
        HealthConfig health,
        BackendConnections connections,
        HostHeader host,
        HeaderRules headers,
        QueueConfig queue,
        RetryConfig retry,
        Optional<BackendTls> tls,
        OutlierConfig outlier) {

    public static final HostHeader DEFAULT_HOST = new HostHeader.Keep();

    public PoolConfig {
        backends = List.copyOf(backends);
        Checks.that(!backends.isEmpty(), "backends", "[]", "at least one backend");
    }

    /** Whether a backend listens on a Unix socket. */
    public boolean hasUnixSockets() {
        return backends.stream().anyMatch(backend -> backend.address() instanceof UnixSocket);
    }

    /** A pool that ejects outliers as usual. */
    public PoolConfig(
            String name,
            StrategyConfig strategy,
            List<BackendConfig> backends,
            HealthConfig health,
            BackendConnections connections,
            HostHeader host,
            HeaderRules headers,
            QueueConfig queue,
            RetryConfig retry,
            Optional<BackendTls> tls) {
        this(name, strategy, backends, health, connections, host, headers, queue, retry, tls, OutlierConfig.DEFAULT);
    }

    /** The same without TLS. */
    public PoolConfig(
            String name,
            StrategyConfig strategy,
            List<BackendConfig> backends,
            HealthConfig health,
            BackendConnections connections,
            HostHeader host,
            HeaderRules headers,
            QueueConfig queue,
            RetryConfig retry) {
        this(name, strategy, backends, health, connections, host, headers, queue, retry, /* tls= */ Optional.empty());
    }

    /** A pool that changes no headers, has no queue and retries as usual. */
    public PoolConfig(
            String name,
            StrategyConfig strategy,
            List<BackendConfig> backends,
            HealthConfig health,
            BackendConnections connections,
            HostHeader host) {
        this(
                name,
                strategy,
                backends,
                health,
                connections,
                host,
                HeaderRules.NONE,
                QueueConfig.DEFAULT,
                RetryConfig.DEFAULT);
    }
}
