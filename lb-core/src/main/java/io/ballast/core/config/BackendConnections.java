package io.ballast.core.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * Deadlines and limits of the connections to a pool's backends.
 *
 * @param connectTimeout for the TCP handshake; then the next backend is tried
 * @param responseTimeout from the end of the request to the end of the response head; then 504
 * @param bodyIdleTimeout between two reads of a response body; then the exchange is cut
 * @param idleTimeout how long an unused connection is kept
 * @param maxAge how long any connection is reused; up to a tenth less, drawn for each, so that they do not end together
 * @param maxIdlePerLoop most unused connections kept for one backend by one event loop
 * @param maxInFlight most exchanges at once on one backend; 0 for no limit
 * @param maxConnections most open connections to one backend, unused ones included, over all event loops; 0 for no limit.
 *     Since each serves one exchange at a time, it limits these too, and with it requests are not pipelined
 * @param attempts most backends tried for one request when connecting fails, the first included
 * @param pipelining most safe requests at once on one connection, sent without waiting for the responses before them; 1 for
 *     no pipelining
 * @param responseLimits how long the heads of responses may be
 * @param protocol what is spoken on them
 * @param proxyHeader what each connection begins with. With one, a connection serves a single exchange, since it speaks for
 *     one client
 * @param reuse which requests may use a connection that served another one
 */
public record BackendConnections(
        Duration connectTimeout,
        Duration responseTimeout,
        Duration bodyIdleTimeout,
        Duration idleTimeout,
        Duration maxAge,
        int maxIdlePerLoop,
        int maxInFlight,
        int maxConnections,
        int attempts,
        int pipelining,
        ResponseLimits responseLimits,
        BackendProtocol protocol,
        SentProxyHeader proxyHeader,
        ConnectionReuse reuse) {

    public static final int MAX_ATTEMPTS = 10;
    public static final int MAX_PIPELINING = 1000;

    public static final BackendConnections DEFAULT = new BackendConnections(
            Duration.ofSeconds(1),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60),
            Duration.ofSeconds(50),
            Duration.ofHours(1),
            1024,
            0,
            0,
            3,
            1,
            ResponseLimits.DEFAULT,
            BackendProtocol.HTTP1,
            SentProxyHeader.NONE,
            ConnectionReuse.ALWAYS);

    public BackendConnections {
        Checks.positive(connectTimeout, "connect_timeout");
        Checks.positive(responseTimeout, "response_timeout");
        Checks.positive(bodyIdleTimeout, "body_idle_timeout");
        Checks.positive(idleTimeout, "idle_timeout");
        Checks.positive(maxAge, "max_age");
        Checks.atLeast(maxIdlePerLoop, 0, "max_idle");
        Checks.atLeast(maxInFlight, 0, "max_in_flight");
        Checks.atLeast(maxConnections, 0, "max_connections");
        Checks.between(attempts, 1, MAX_ATTEMPTS, "attempts");
        Checks.between(pipelining, 1, MAX_PIPELINING, "pipelining");
    }

    /** Returns a copy with another protocol. */
    public BackendConnections speaking(BackendProtocol other) {
        return new BackendConnections(
                connectTimeout,
                responseTimeout,
                bodyIdleTimeout,
                idleTimeout,
                maxAge,
                maxIdlePerLoop,
                maxInFlight,
                maxConnections,
                attempts,
                pipelining,
                responseLimits,
                other,
                proxyHeader,
                reuse);
    }

    /** Whether a connection may serve one exchange after the other. */
    public boolean reusesConnections() {
        return proxyHeader == SentProxyHeader.NONE && reuse != ConnectionReuse.NEVER;
    }

    /** Returns whether connections begin with a PROXY protocol header. */
    public boolean sendsProxyHeader() {
        return proxyHeader != SentProxyHeader.NONE;
    }

    /** Most exchanges at once on one backend, however they are limited; 0 for no limit. */
    public int inFlightLimit() {
        if (maxInFlight == 0 || maxConnections == 0) {
            return Math.max(maxInFlight, maxConnections);
        }
        return Math.min(maxInFlight, maxConnections);
    }
}
