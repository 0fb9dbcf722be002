package io.ballast.core.config;

import java.util.Optional;

/**
 * The TLS settings of the checks of one pool.
 *
 * @param tls the TLS settings
 * @param protocol the protocol offered by ALPN; absent for checks other than HTTP, which offer none
 */
public record CheckSecurity(BackendTls tls, Optional<BackendProtocol> protocol) {

    /** Returns the TLS settings of a pool's checks; empty if checks do not use TLS. */
    public static Optional<CheckSecurity> of(PoolConfig pool) {
        return pool.health().check().tls().resolve(pool.tls()).map(tls -> new CheckSecurity(tls, protocol(pool)));
    }

    private static Optional<BackendProtocol> protocol(PoolConfig pool) {
        HealthCheck check = pool.health().check();
        if (check instanceof HealthCheck.Grpc) {
            return Optional.of(BackendProtocol.H2);
        }
        if (!(check instanceof HealthCheck.Http)) {
            return Optional.empty();
        }
        boolean asRequests = check.tls().ofPool() && pool.tls().isPresent();
        return Optional.of(asRequests ? pool.connections().protocol() : BackendProtocol.AUTO);
    }
}
