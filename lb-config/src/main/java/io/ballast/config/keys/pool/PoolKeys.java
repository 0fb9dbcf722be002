package io.ballast.config.keys.pool;

import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.ReloadEffect;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.HeaderKeys;
import io.ballast.config.keys.common.HostHeaderKeys;
import io.ballast.config.keys.common.NameReference;
import io.ballast.config.keys.common.Percents;
import io.ballast.config.keys.errorpage.ErrorPagesType;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.CheckAddress;
import io.ballast.core.config.CircuitBreakerConfig;
import io.ballast.core.config.ConnectionReuse;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.MaintenancePage;
import io.ballast.core.config.OutlierConfig;
import io.ballast.core.config.PoolConcurrency;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.PoolDiscovery;
import io.ballast.core.config.QueueConfig;
import io.ballast.core.config.RetryConfig;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.UnixSocket;
import io.ballast.core.config.agent.PoolAgents;
import io.ballast.core.config.errorpage.ErrorPages;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HostHeader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The keys of {@code pools.NAME}. */
public final class PoolKeys {

    private static final PoolConfig DEFAULT = PoolConfig.builder("").build();

    private static final ShapeBuilder<PoolConfig> KEYS =
            Shape.named("pool", "Backends that serve the same content, and how requests are balanced over them.");

    private static final Key<StrategyConfig> STRATEGY = KEYS.optional(
            "strategy",
            StrategyKeys.STRATEGY,
            StrategyConfig.DEFAULT,
            "load-balancing strategy that selects a backend",
            PoolConfig::strategy);
    private static final Key<List<BackendConfig>> BACKENDS = KEYS.optional(
            "backends",
            ListType.atLeastOne(BackendKeys.BACKEND)
                    .unique("address", BackendConfig::address)
                    .map(BackendKeys::requireUsableMember, backends -> backends),
            "the backends; at least one must have a weight above 0",
            pool -> nonEmpty(pool.backends()));
    private static final Key<List<PoolDiscovery>> DISCOVER = KEYS.optional(
            "discover",
            ListType.atLeastOne(DiscoverKeys.DISCOVER).unique("source", PoolDiscovery::source),
            "sources that add and remove backends of this pool at run time; default: none",
            pool -> nonEmpty(pool.discover()));
    private static final Key<PoolAgents> AGENTS = KEYS.optional(
            "agents",
            PoolAgentsKeys.AGENTS,
            "agents that may add backends to this pool at run time; default: none",
            PoolConfig::agents);
    private static final Key<HealthConfig> HEALTH = KEYS.optional(
            "health", HealthKeys.HEALTH, HealthConfig.DEFAULT, "health checks of the backends", PoolConfig::health);
    private static final Key<BackendConnections> CONNECTIONS = KEYS.optional(
            "connections",
            ConnectionKeys.CONNECTIONS,
            BackendConnections.DEFAULT,
            "timeouts and limits of connections to the backends",
            PoolConfig::connections);
    private static final Key<HostHeader> HOST = KEYS.optional(
            "host",
            HostHeaderKeys.HOST_HEADER,
            PoolConfig.DEFAULT_HOST,
            "Host header sent to backends: the client's (keep), the backend's address (backend), or a fixed value",
            PoolConfig::host);
    private static final Key<HeaderRules> HEADERS = KEYS.optional(
            "headers",
            HeaderKeys.HEADERS,
            "rules that change headers of the pool's requests and responses",
            HeaderKeys.omitting(HeaderRules.NONE, PoolConfig::headers));
    private static final Key<QueueConfig> QUEUE = KEYS.optional(
            "queue",
            QueueKeys.QUEUE,
            QueueConfig.DEFAULT,
            "queue for requests that wait because every usable backend is at its limit",
            PoolConfig::queue);
    private static final Key<RetryConfig> RETRY = KEYS.optional(
            "retry",
            RetryKeys.RETRY,
            RetryConfig.DEFAULT,
            "conditions and limits for retrying a failed request",
            PoolConfig::retry);
    private static final Key<OutlierConfig> OUTLIER = KEYS.optional(
            "outlier",
            OutlierKeys.OUTLIER,
            OutlierConfig.DEFAULT,
            "outlier detection: ejects a backend for a while when its requests fail; off disables it",
            PoolConfig::outlier);
    private static final Key<Duration> SLOW_START = KEYS.optional(
            "slow_start",
            Durations.DURATION,
            DEFAULT.slowStart(),
            "ramp-up time in which a new or recovered backend gets less than its share of the traffic,"
                    + " starting at a tenth; 0s disables slow start",
            PoolConfig::slowStart);
    private static final Key<Integer> PANIC_BELOW = KEYS.optional(
            "panic_below",
            Percents.PERCENT,
            DEFAULT.panicBelowPercent(),
            "if a smaller share of the backends is healthy, requests go to all backends (panic); 0% disables this",
            PoolConfig::panicBelowPercent);
    private static final Key<MaintenancePage> MAINTENANCE = KEYS.optional(
            "maintenance",
            MaintenanceKeys.MAINTENANCE,
            "response while an operator has put the whole pool under maintenance; default: a plain 503",
            PoolConfig::maintenance);
    private static final Key<Optional<BackendTls>> TLS = KEYS.optional(
            "tls",
            BackendTlsKeys.TLS,
            "TLS to the backends, with verification of their certificates; default: off",
            pool -> Optional.of(pool.tls()).filter(Optional::isPresent));

    private static final Key<BackendProtocol> PROTOCOL = KEYS.optional(
            "protocol",
            Scalars.constant(BackendProtocol.class, BackendProtocol::label),
            BackendConnections.DEFAULT.protocol(),
            "protocol of the backends: http1; h2 (requires tls); h2c (HTTP/2 without TLS, used by many"
                    + " gRPC servers); or auto (HTTP/2 or HTTP/1.1, as negotiated in the TLS handshake)",
            pool -> pool.connections().protocol());

    private static final Key<List<String>> POLICIES = KEYS.optional(
            "policies",
            ListType.of(NameReference.POLICY).unique("policy", name -> name),
            "names of policies that apply to requests of this pool; none by default",
            pool -> Optional.of(pool.policies()).filter(names -> !names.isEmpty()));

    private static final Key<PoolConcurrency> CONCURRENCY = KEYS.optional(
            "concurrency",
            PoolConcurrencyKeys.CONCURRENCY,
            "limit of concurrent HTTP requests: a number, or a mapping with adaptive or queue; default: none",
            PoolConfig::concurrency);
    private static final Key<CircuitBreakerConfig> CIRCUIT_BREAKER = KEYS.optional(
            "circuit_breaker",
            CircuitBreakerKeys.CIRCUIT_BREAKER,
            "stops requests to the pool for a time when too many fail or are slow; default: never",
            PoolConfig::circuitBreaker);

    private static final Key<ErrorPages> ERROR_PAGES = KEYS.optional(
            "error_pages",
            ErrorPagesType.ERROR_PAGES,
            "files with error pages by status (404, 5xx, default), used before those of the route and the listener;"
                    + " intercept: statuses of backend responses that pages replace",
            HeaderKeys.omitting(ErrorPages.NONE, PoolConfig::errorPages));

    static {
        KEYS.atLeastOne(BACKENDS, DISCOVER, AGENTS);
    }

    static {
        KEYS.onReload(ReloadEffect.IMMEDIATE);
        KEYS.onReload(ReloadEffect.NEW_CONNECTIONS, CONNECTIONS, TLS, PROTOCOL);
    }

    public static final Type<PoolConfig> POOL = KEYS.build(PoolKeys::build);

    private PoolKeys() {}

    private static PoolConfig build(Values values) {
        BackendProtocol protocol = values.get(PROTOCOL);
        Optional<BackendTls> tls = values.find(TLS).orElse(Optional.empty());
        BackendConnections connections = values.get(CONNECTIONS).withProtocol(protocol);
        boolean secured = tls.isPresent() || values.isInvalid(TLS);
        if (protocol == BackendProtocol.H2 && !secured) {
            values.reading().error(values.node(PROTOCOL), "protocol h2 requires tls (expected: tls, or protocol h2c)");
        } else if (protocol == BackendProtocol.H2C && secured) {
            values.reading()
                    .error(values.node(PROTOCOL), "protocol h2c cannot be used with tls (expected: protocol h2)");
        }
        if (protocol == BackendProtocol.AUTO && (connections.maxConnections() > 0 || connections.pipelining() > 1)) {
            values.reading()
                    .error(
                            values.node(CONNECTIONS),
                            "protocol auto does not support max_connections and pipelining (expected: max_in_flight to limit"
                                    + " exchanges)");
        }
        if (connections.reuse() == ConnectionReuse.NEVER) {
            if (protocol != BackendProtocol.HTTP1) {
                values.reading()
                        .error(
                                values.node(CONNECTIONS),
                                "reuse: never is not supported with protocol " + protocol.label()
                                        + " (expected: reuse: always or safe, or protocol http1)");
            } else if (connections.pipelining() > 1) {
                values.reading()
                        .error(
                                values.node(CONNECTIONS),
                                "reuse: never is not supported with pipelining (expected: always or safe)");
            }
        }
        List<BackendConfig> backends = values.find(BACKENDS).orElse(List.of());
        boolean onUnixSockets = backends.stream().anyMatch(backend -> backend.address() instanceof UnixSocket);
        if (onUnixSockets && !values.get(HEALTH).at().equals(CheckAddress.SAME_AS_BACKEND)) {
            values.reading()
                    .error(
                            values.node(HEALTH),
                            "port and address are not supported with a Unix socket; checks use the socket itself (expected: neither)");
        }
        if (values.get(HEALTH).check() instanceof HealthCheck.None
                && backends.stream().anyMatch(backend -> backend.healthPort().isPresent())) {
            values.reading()
                    .error(
                            values.node(BACKENDS),
                            "health_port has no effect with health type none (expected: no health_port, or another health type)");
        }
        return PoolConfig.builder(values.name())
                .strategy(values.get(STRATEGY))
                .backends(backends)
                .discover(values.find(DISCOVER).orElse(List.of()))
                .agents(values.find(AGENTS))
                .health(values.get(HEALTH))
                .connections(connections)
                .host(values.get(HOST))
                .headers(values.find(HEADERS).orElse(HeaderRules.NONE))
                .queue(values.get(QUEUE))
                .retry(values.get(RETRY))
                .tls(tls)
                .outlier(values.get(OUTLIER))
                .slowStart(values.get(SLOW_START))
                .panicBelowPercent(values.get(PANIC_BELOW))
                .maintenance(values.find(MAINTENANCE))
                .policies(values.find(POLICIES).orElse(List.of()))
                .concurrency(values.find(CONCURRENCY))
                .circuitBreaker(values.find(CIRCUIT_BREAKER))
                .errorPages(values.find(ERROR_PAGES).orElse(ErrorPages.NONE))
                .build();
    }

    private static <T> Optional<List<T>> nonEmpty(List<T> values) {
        return Optional.of(values).filter(list -> !list.isEmpty());
    }
}
