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
import io.ballast.config.keys.common.Percents;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.CheckAddress;
import io.ballast.core.config.ConnectionReuse;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.MaintenancePage;
import io.ballast.core.config.OutlierConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.PoolDiscovery;
import io.ballast.core.config.QueueConfig;
import io.ballast.core.config.RetryConfig;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.UnixSocket;
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
            "how a backend is selected",
            PoolConfig::strategy);
    private static final Key<List<BackendConfig>> BACKENDS = KEYS.optional(
            "backends",
            ListType.atLeastOne(BackendKeys.BACKEND)
                    .unique("address", BackendConfig::address)
                    .map(BackendKeys::requireUsableMember, backends -> backends),
            "the backends; at least one of them with a weight above 0",
            pool -> nonEmpty(pool.backends()));
    private static final Key<List<PoolDiscovery>> DISCOVER = KEYS.optional(
            "discover",
            ListType.atLeastOne(DiscoverKeys.DISCOVER).unique("source", PoolDiscovery::source),
            "sources that add and remove backends of this pool at run time; only the backends above by default",
            pool -> nonEmpty(pool.discover()));
    private static final Key<HealthConfig> HEALTH = KEYS.optional(
            "health", HealthKeys.HEALTH, HealthConfig.DEFAULT, "how the backends are checked", PoolConfig::health);
    private static final Key<BackendConnections> CONNECTIONS = KEYS.optional(
            "connections",
            ConnectionKeys.CONNECTIONS,
            BackendConnections.DEFAULT,
            "deadlines and limits of connections to the backends",
            PoolConfig::connections);
    private static final Key<HostHeader> HOST = KEYS.optional(
            "host",
            HostHeaderKeys.HOST_HEADER,
            PoolConfig.DEFAULT_HOST,
            "the Host header for backends: the client's (keep), their address (backend), or a fixed one",
            PoolConfig::host);
    private static final Key<HeaderRules> HEADERS = KEYS.optional(
            "headers",
            HeaderKeys.HEADERS,
            "changes of headers of its requests and responses",
            HeaderKeys.omitting(HeaderRules.NONE, PoolConfig::headers));
    private static final Key<QueueConfig> QUEUE = KEYS.optional(
            "queue",
            QueueKeys.QUEUE,
            QueueConfig.DEFAULT,
            "the wait queue for requests while every usable backend is full",
            PoolConfig::queue);
    private static final Key<RetryConfig> RETRY = KEYS.optional(
            "retry",
            RetryKeys.RETRY,
            RetryConfig.DEFAULT,
            "when a failed request is tried at another backend",
            PoolConfig::retry);
    private static final Key<OutlierConfig> OUTLIER = KEYS.optional(
            "outlier",
            OutlierKeys.OUTLIER,
            OutlierConfig.DEFAULT,
            "when a backend whose requests fail is ejected for a while; off for never",
            PoolConfig::outlier);
    private static final Key<Duration> SLOW_START = KEYS.optional(
            "slow_start",
            Durations.DURATION,
            DEFAULT.slowStart(),
            "how long a backend that takes traffic again, or is new in the pool, gets less than its"
                    + " share, a tenth at first; 0s for never",
            PoolConfig::slowStart);
    private static final Key<Integer> PANIC_BELOW = KEYS.optional(
            "panic_below",
            Percents.PERCENT,
            DEFAULT.panicBelowPercent(),
            "if a smaller share of its backends is healthy, requests go to all of them; 0% for never",
            PoolConfig::panicBelowPercent);
    private static final Key<MaintenancePage> MAINTENANCE = KEYS.optional(
            "maintenance",
            MaintenanceKeys.MAINTENANCE,
            "the answer while an operator has the whole pool under maintenance; a plain 503 by default",
            PoolConfig::maintenance);
    private static final Key<Optional<BackendTls>> TLS = KEYS.optional(
            "tls",
            BackendTlsKeys.TLS,
            "uses TLS to the backends and verifies their certificates; off by default",
            pool -> Optional.of(pool.tls()).filter(Optional::isPresent));

    private static final Key<BackendProtocol> PROTOCOL = KEYS.optional(
            "protocol",
            Scalars.constant(BackendProtocol.class, BackendProtocol::label),
            BackendConnections.DEFAULT.protocol(),
            "the protocol of its backends: http1; h2, which needs tls; h2c for HTTP/2 without TLS, as"
                    + " many gRPC servers use it; or auto for HTTP/2 or HTTP/1.1 as negotiated in the TLS handshake",
            pool -> pool.connections().protocol());

    static {
        KEYS.atLeastOne(BACKENDS, DISCOVER);
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
            values.reading().error(values.node(PROTOCOL), "h2 without tls (expected: tls, or h2c)");
        } else if (protocol == BackendProtocol.H2C && secured) {
            values.reading().error(values.node(PROTOCOL), "h2c with tls (expected: h2)");
        }
        if (protocol == BackendProtocol.AUTO && (connections.maxConnections() > 0 || connections.pipelining() > 1)) {
            values.reading()
                    .error(
                            values.node(CONNECTIONS),
                            "max_connections or pipelining with protocol auto (expected: neither; max_in_flight limits"
                                    + " exchanges)");
        }
        if (connections.reuse() == ConnectionReuse.NEVER) {
            if (protocol != BackendProtocol.HTTP1) {
                values.reading()
                        .error(
                                values.node(CONNECTIONS),
                                "reuse never with protocol " + protocol.label()
                                        + " (expected: always or safe, or protocol http1)");
            } else if (connections.pipelining() > 1) {
                values.reading()
                        .error(values.node(CONNECTIONS), "reuse never with pipelining (expected: always or safe)");
            }
        }
        List<BackendConfig> backends = values.find(BACKENDS).orElse(List.of());
        boolean onUnixSockets = backends.stream().anyMatch(backend -> backend.address() instanceof UnixSocket);
        if (onUnixSockets && !values.get(HEALTH).at().equals(CheckAddress.SAME_AS_BACKEND)) {
            values.reading()
                    .error(
                            values.node(HEALTH),
                            "port or address with a Unix socket (expected: neither; the socket itself is checked)");
        }
        if (values.get(HEALTH).check() instanceof HealthCheck.None
                && backends.stream().anyMatch(backend -> backend.healthPort().isPresent())) {
            values.reading()
                    .error(
                            values.node(BACKENDS),
                            "health_port with health type none (expected: no health_port, or checks)");
        }
        return PoolConfig.builder(values.name())
                .strategy(values.get(STRATEGY))
                .backends(backends)
                .discover(values.find(DISCOVER).orElse(List.of()))
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
                .build();
    }

    private static <T> Optional<List<T>> nonEmpty(List<T> values) {
        return Optional.of(values).filter(list -> !list.isEmpty());
    }
}
