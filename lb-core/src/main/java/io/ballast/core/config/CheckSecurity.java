package io.ballast.core.config;

import java.util.Optional;

/**
 * The TLS by which the backends of one pool are checked.
 *
 * @param tls its settings
 * @param protocol what may be agreed on
 */
public record CheckSecurity(BackendTls tls, BackendProtocol protocol) {

    /** That of a pool's checks; absent if they go without. */
    public static Optional<CheckSecurity> of(PoolConfig pool) {
        HealthCheck check = pool.health().check();
        if (check instanceof HealthCheck.Grpc grpc) {
            return grpc.tls().in(pool.tls()).map(tls -> new CheckSecurity(tls, BackendProtocol.H2));
        }
        if (!(check instanceof HealthCheck.Http http)) {
            return Optional.empty();
        }
        boolean asRequests = http.tls().ofPool() && pool.tls().isPresent();
        BackendProtocol protocol = asRequests ? pool.connections().protocol() : BackendProtocol.AUTO;
        return http.tls().in(pool.tls()).map(tls -> new CheckSecurity(tls, protocol));
    }
}
