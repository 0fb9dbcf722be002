package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import java.net.SocketAddress;
import java.time.Duration;

/**
 * What one check asks, and of whom: backends for which this is equal are checked together.
 *
 * @param address where to connect
 * @param check what to do there
 * @param host what is sent as {@code Host} where the check leaves it to the backend's address, else empty
 * @param timeout how long to wait for an answer
 */
record CheckTarget(SocketAddress address, HealthCheck check, String host, Duration timeout) {

    /** @param secured whether the pool speaks TLS to its backends */
    static CheckTarget of(Backend backend, HealthConfig config, boolean secured) {
        HealthCheck check = config.check();
        boolean ownHost = check instanceof HealthCheck.Http http && http.host().isEmpty();
        if (secured && check instanceof HealthCheck.Http http) {
            check = new HealthCheck.Https(http, backend.pool(), backend.address());
        }
        return new CheckTarget(
                backend.socketAddress(), check, ownHost ? backend.address().authority() : "", config.timeout());
    }
}
