package io.ballast.core.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * Deadlines and limits of the connections to a pool's backends.
 *
 * @param connectTimeout time limit for the TCP handshake; when it expires, the next backend is tried
 * @param responseTimeout time limit from the end of the request to the end of the response head; when it
 *     expires, the client gets a 504
 * @param bodyIdleTimeout maximum time between two reads of a response body; when it expires, the exchange is
 *     closed
 * @param idleTimeout lifetime of an unused connection
 * @param maxAge lifetime of a reused connection; reduced by a random share of up to one tenth, so that
 *     connections do not end together
 * @param maxIdlePerLoop maximum number of unused connections per backend and event loop
 * @param maxInFlight maximum number of concurrent exchanges on one backend; 0 for no limit
 * @param maxConnections maximum number of open connections to one backend, including unused ones, over all
 *     event loops; 0 for no limit. It also limits exchanges, because each connection then serves one exchange
 *     at a time, without pipelining
 * @param attempts maximum number of backends tried for one request when connecting fails, including the first
 * @param pipelining maximum number of safe requests in flight on one connection; 1 for no pipelining
 * @param responseLimits limits of response heads
 * @param protocol the protocol of the connections
 * @param proxyHeader the header at the start of each connection. With a header, a connection serves a single
 *     exchange, because the header contains the address of one client
 * @param reuse which requests may use a connection that has served another one
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

    /** Returns a copy with the given protocol. */
    public BackendConnections withProtocol(BackendProtocol other) {
        return with(responseTimeout, idleTimeout, maxAge, maxInFlight, other);
    }

    /** Returns a copy with these deadlines and this limit. */
    public BackendConnections with(Duration responseTimeout, Duration idleTimeout, Duration maxAge, int maxInFlight) {
        return with(responseTimeout, idleTimeout, maxAge, maxInFlight, protocol);
    }

    private BackendConnections with(
            Duration responseTimeout,
            Duration idleTimeout,
            Duration maxAge,
            int maxInFlight,
            BackendProtocol protocol) {
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
                protocol,
                proxyHeader,
                reuse);
    }

    /** Returns whether a connection may serve several exchanges, one after the other. */
    public boolean reusesConnections() {
        return proxyHeader == SentProxyHeader.NONE && reuse != ConnectionReuse.NEVER;
    }

    /** Returns whether connections begin with a PROXY protocol header. */
    public boolean sendsProxyHeader() {
        return proxyHeader != SentProxyHeader.NONE;
    }

    /**
     * Returns the maximum number of concurrent exchanges on one backend that follows from all limits; 0 for no
     * limit.
     */
    public int inFlightLimit() {
        if (maxInFlight == 0 || maxConnections == 0) {
            return Math.max(maxInFlight, maxConnections);
        }
        return Math.min(maxInFlight, maxConnections);
    }
}
