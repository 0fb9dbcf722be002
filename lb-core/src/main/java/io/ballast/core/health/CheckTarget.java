package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.Address;
import io.ballast.core.config.CheckAddress;
import io.ballast.core.config.CheckSecurity;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.SentProxyHeader;
import java.net.SocketAddress;
import java.time.Duration;

/**
 * The target and the settings of a check. Backends with equal targets share one check.
 *
 * @param address the address to connect to
 * @param check the check to run
 * @param host the {@code Host} value if the check uses the backend's address, otherwise empty
 * @param timeout the time limit
 */
record CheckTarget(SocketAddress address, HealthCheck check, String host, Duration timeout) {

    /**
     * Returns the target of a backend.
     *
     * @param check the check of its pool, as returned by {@link #check}
     * @param at the address at which the backend is checked
     */
    static CheckTarget of(Backend backend, HealthConfig config, HealthCheck check, CheckAddress at) {
        return new CheckTarget(
                at.of(backend.socketAddress()),
                check,
                namesBackend(config.check()) ? at.of(backend.address()).authority() : "",
                config.timeout());
    }

    private static boolean namesBackend(HealthCheck check) {
        return (check instanceof HealthCheck.Http http && http.host().isEmpty())
                || (check instanceof HealthCheck.Grpc grpc && grpc.host().isEmpty());
    }

    /** Returns the check of a backend, with TLS and the PROXY protocol if the check or the pool requires them. */
    static HealthCheck check(PoolConfig pool, Address backend, CheckAddress at) {
        HealthCheck check = pool.health().check();
        HealthCheck request = CheckSecurity.of(pool)
                .<HealthCheck>map(by -> new HealthCheck.Secured(check, by.tls(), by.protocol(), at.of(backend)))
                .orElse(check);
        SentProxyHeader header = pool.health().proxyHeader(pool.connections().proxyHeader(), at);
        return header == SentProxyHeader.NONE || !usesConnection(check)
                ? request
                : new HealthCheck.Proxied(request, header);
    }

    private static boolean usesConnection(HealthCheck check) {
        return !(check instanceof HealthCheck.None
                || check instanceof HealthCheck.Dns
                || check instanceof HealthCheck.Exec);
    }
}
