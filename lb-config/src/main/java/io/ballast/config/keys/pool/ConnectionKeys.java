package io.ballast.config.keys.pool;

import static io.ballast.core.config.BackendConnections.DEFAULT;

import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.ConnectionReuse;
import io.ballast.core.config.ResponseLimits;
import io.ballast.core.config.SentProxyHeader;
import java.time.Duration;

/** The keys of {@code pools.NAME.connections}. */
final class ConnectionKeys {

    private static final ShapeBuilder<BackendConnections> KEYS =
            Shape.named("connections", "Timeouts and limits of the connections to a pool's backends.");

    private static final Key<Duration> CONNECT = KEYS.optional(
            "connect_timeout",
            Durations.DURATION,
            DEFAULT.connectTimeout(),
            "maximum time for the TCP and TLS handshakes together; then the next backend is tried",
            BackendConnections::connectTimeout);
    private static final Key<Duration> RESPONSE = KEYS.optional(
            "response_timeout",
            Durations.DURATION,
            DEFAULT.responseTimeout(),
            "maximum time from the end of the request to the end of the response head; then 504",
            BackendConnections::responseTimeout);
    private static final Key<Duration> BODY_IDLE = KEYS.optional(
            "body_idle_timeout",
            Durations.DURATION,
            DEFAULT.bodyIdleTimeout(),
            "maximum time between two reads of a response body; then the response is cut off",
            BackendConnections::bodyIdleTimeout);
    private static final Key<Duration> IDLE = KEYS.optional(
            "idle_timeout",
            Durations.DURATION,
            DEFAULT.idleTimeout(),
            "how long an idle connection is kept open",
            BackendConnections::idleTimeout);
    private static final Key<Duration> MAX_AGE = KEYS.optional(
            "max_age",
            Durations.DURATION,
            DEFAULT.maxAge(),
            "maximum age at which a connection is reused",
            BackendConnections::maxAge);
    private static final Key<Integer> MAX_IDLE = KEYS.optional(
            "max_idle",
            Scalars.integer(0, Integer.MAX_VALUE),
            DEFAULT.maxIdlePerLoop(),
            "maximum number of idle connections that one event loop keeps to one backend",
            BackendConnections::maxIdlePerLoop);
    private static final Key<Integer> MAX_IN_FLIGHT = KEYS.optional(
            "max_in_flight",
            Scalars.integer(0, Integer.MAX_VALUE),
            DEFAULT.maxInFlight(),
            "maximum number of requests in flight to one backend; 0 for no limit",
            BackendConnections::maxInFlight);
    private static final Key<Integer> MAX_CONNECTIONS = KEYS.optional(
            "max_connections",
            Scalars.integer(0, Integer.MAX_VALUE),
            DEFAULT.maxConnections(),
            "maximum number of open connections to one backend, including idle ones; this also limits requests in"
                    + " flight; 0 for no limit; a limit disables pipelining",
            BackendConnections::maxConnections);
    private static final Key<Integer> ATTEMPTS = KEYS.optional(
            "attempts",
            Scalars.integer(1, BackendConnections.MAX_ATTEMPTS),
            DEFAULT.attempts(),
            "maximum number of backends tried for one request when connecting fails, including the first",
            BackendConnections::attempts);

    private static final Key<Integer> PIPELINING = KEYS.optional(
            "pipelining",
            Scalars.integer(1, BackendConnections.MAX_PIPELINING),
            DEFAULT.pipelining(),
            "maximum number of safe requests without a body that are sent on one connection without"
                    + " waiting for earlier responses; 1 disables pipelining; only for backends that answer quickly"
                    + " and in order",
            BackendConnections::pipelining);

    private static final Key<ResponseLimits> RESPONSE_LIMITS = KEYS.optional(
            "response_limits",
            ResponseLimitKeys.LIMITS,
            DEFAULT.responseLimits(),
            "limits of response heads",
            BackendConnections::responseLimits);

    private static final Key<SentProxyHeader> PROXY_PROTOCOL = KEYS.optional(
            "proxy_protocol",
            EnumWords.of(SentProxyHeader.class),
            DEFAULT.proxyHeader(),
            "sends a PROXY header with the client's address at the start of each connection, before TLS; a"
                    + " connection is then not shared between clients: HTTP/1.1 backends get one per request, HTTP/2"
                    + " backends one per client connection",
            BackendConnections::proxyHeader);

    private static final Key<ConnectionReuse> REUSE = KEYS.optional(
            "reuse",
            EnumWords.of(ConnectionReuse.class),
            DEFAULT.reuse(),
            "requests that may reuse a connection after another request; always: all; safe: all except the first one of a"
                    + " client connection, unless it may be retried; never: none",
            BackendConnections::reuse);

    static final Type<BackendConnections> CONNECTIONS = KEYS.build(values -> new BackendConnections(
            values.get(CONNECT),
            values.get(RESPONSE),
            values.get(BODY_IDLE),
            values.get(IDLE),
            values.get(MAX_AGE),
            values.get(MAX_IDLE),
            values.get(MAX_IN_FLIGHT),
            values.get(MAX_CONNECTIONS),
            values.get(ATTEMPTS),
            values.get(PIPELINING),
            values.get(RESPONSE_LIMITS),
            DEFAULT.protocol(),
            values.get(PROXY_PROTOCOL),
            values.get(REUSE)));

    private ConnectionKeys() {}
}
