package io.ballast.core.config;

import io.ballast.core.Checks;
import io.ballast.core.config.agent.PoolAgents;
import io.ballast.core.config.errorpage.ErrorPages;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HostHeader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A group of equivalent backends with its balancing settings.
 *
 * @param name unique among pools
 * @param strategy the strategy that picks a backend
 * @param backends the configured backends; each address occurs once
 * @param discover sources of further backends
 * @param agents the agents that may add backends; absent for none
 * @param health the health checks
 * @param connections deadlines and limits of connections to the backends
 * @param host the {@code Host} header of requests to the backends
 * @param headers header changes in requests and responses of this pool
 * @param queue the queue of requests while all usable backends are full
 * @param retry the conditions and limits of retries
 * @param tls TLS to the backends, if any
 * @param outlier the conditions for ejecting a backend whose requests fail
 * @param slowStart the time during which a new or returning backend gets less than its share; zero for none
 * @param panicBelowPercent if the share of healthy backends is below this percentage, all backends get
 *     requests; 0 for never
 * @param maintenance the response while the pool is under maintenance; absent for a plain 503
 * @param policies the names of the policies that apply to requests of this pool
 * @param concurrency the limit of concurrent requests; absent for none
 * @param circuitBreaker the conditions under which the pool gets no requests for a time; absent for no circuit breaker
 * @param errorPages the error pages for requests of this pool
 */
public record PoolConfig(
        String name,
        StrategyConfig strategy,
        List<BackendConfig> backends,
        List<PoolDiscovery> discover,
        Optional<PoolAgents> agents,
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
        Optional<MaintenancePage> maintenance,
        List<String> policies,
        Optional<PoolConcurrency> concurrency,
        Optional<CircuitBreakerConfig> circuitBreaker,
        ErrorPages errorPages) {

    public static final HostHeader DEFAULT_HOST = new HostHeader.Keep();

    public PoolConfig {
        backends = List.copyOf(backends);
        discover = List.copyOf(discover);
        policies = List.copyOf(policies);
        Checks.that(!slowStart.isNegative(), "slow_start", slowStart, ">= 0");
        Checks.between(panicBelowPercent, 0, 100, "panic_below");
    }

    /** Returns whether backends can be added at run time, by discovery or agents. */
    public boolean hasChangingBackends() {
        return !discover.isEmpty() || agents.isPresent();
    }

    /** Whether a backend listens on a Unix socket. */
    public boolean hasUnixSockets() {
        return backends.stream().anyMatch(backend -> backend.address() instanceof UnixSocket);
    }

    /** Returns a builder for a pool with this name, no backends, and default settings. */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** Returns a builder that is initialized with the values of this pool. */
    public Builder toBuilder() {
        return builder(name)
                .strategy(strategy)
                .backends(backends)
                .discover(discover)
                .agents(agents)
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
                .maintenance(maintenance)
                .policies(policies)
                .concurrency(concurrency)
                .circuitBreaker(circuitBreaker)
                .errorPages(errorPages);
    }

    /** Builds a {@link PoolConfig}; unset options have their defaults. Confined to one thread. */
    public static final class Builder {

        private final String name;
        private StrategyConfig strategy = StrategyConfig.DEFAULT;
        private List<BackendConfig> backends = List.of();
        private List<PoolDiscovery> discover = List.of();
        private Optional<PoolAgents> agents = Optional.empty();
        private HealthConfig health = HealthConfig.DEFAULT;
        private BackendConnections connections = BackendConnections.DEFAULT;
        private HostHeader host = DEFAULT_HOST;
        private HeaderRules headers = HeaderRules.NONE;
        private QueueConfig queue = QueueConfig.DEFAULT;
        private RetryConfig retry = RetryConfig.DEFAULT;
        private Optional<BackendTls> tls = Optional.empty();
        private OutlierConfig outlier = OutlierConfig.DEFAULT;
        private Duration slowStart = Duration.ZERO;
        private int panicBelowPercent;
        private Optional<MaintenancePage> maintenance = Optional.empty();
        private List<String> policies = List.of();
        private Optional<PoolConcurrency> concurrency = Optional.empty();
        private Optional<CircuitBreakerConfig> circuitBreaker = Optional.empty();
        private ErrorPages errorPages = ErrorPages.NONE;

        Builder(String name) {
            this.name = name;
        }

        public Builder strategy(StrategyConfig strategy) {
            this.strategy = strategy;
            return this;
        }

        public Builder backends(List<BackendConfig> backends) {
            this.backends = backends;
            return this;
        }

        public Builder discover(List<PoolDiscovery> discover) {
            this.discover = discover;
            return this;
        }

        public Builder agents(Optional<PoolAgents> agents) {
            this.agents = agents;
            return this;
        }

        public Builder health(HealthConfig health) {
            this.health = health;
            return this;
        }

        public Builder connections(BackendConnections connections) {
            this.connections = connections;
            return this;
        }

        public Builder host(HostHeader host) {
            this.host = host;
            return this;
        }

        public Builder headers(HeaderRules headers) {
            this.headers = headers;
            return this;
        }

        public Builder queue(QueueConfig queue) {
            this.queue = queue;
            return this;
        }

        public Builder retry(RetryConfig retry) {
            this.retry = retry;
            return this;
        }

        public Builder tls(Optional<BackendTls> tls) {
            this.tls = tls;
            return this;
        }

        public Builder outlier(OutlierConfig outlier) {
            this.outlier = outlier;
            return this;
        }

        public Builder slowStart(Duration slowStart) {
            this.slowStart = slowStart;
            return this;
        }

        public Builder panicBelowPercent(int panicBelowPercent) {
            this.panicBelowPercent = panicBelowPercent;
            return this;
        }

        public Builder maintenance(Optional<MaintenancePage> maintenance) {
            this.maintenance = maintenance;
            return this;
        }

        public Builder policies(List<String> policies) {
            this.policies = policies;
            return this;
        }

        public Builder concurrency(Optional<PoolConcurrency> concurrency) {
            this.concurrency = concurrency;
            return this;
        }

        public Builder circuitBreaker(Optional<CircuitBreakerConfig> circuitBreaker) {
            this.circuitBreaker = circuitBreaker;
            return this;
        }

        public Builder errorPages(ErrorPages errorPages) {
            this.errorPages = errorPages;
            return this;
        }

        /** Returns the pool; rejects options that contradict each other. */
        public PoolConfig build() {
            return new PoolConfig(
                    name,
                    strategy,
                    backends,
                    discover,
                    agents,
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
                    maintenance,
                    policies,
                    concurrency,
                    circuitBreaker,
                    errorPages);
        }
    }
}
