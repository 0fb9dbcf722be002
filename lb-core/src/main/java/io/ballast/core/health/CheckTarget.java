package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * What one check asks, and of whom: backends for which this is equal are checked together.
 *
 * @param address where to connect
 * @param check what to do there
 * @param host what is sent as {@code Host} where the check leaves it to the backend's address, else empty
 * @param timeout how long to wait for an answer
 */
record CheckTarget(InetSocketAddress address, HealthCheck check, String host, Duration timeout) {

    static CheckTarget of(Backend backend, HealthConfig config) {
        boolean ownHost =
                config.check() instanceof HealthCheck.Http http && http.host().isEmpty();
        return new CheckTarget(
                backend.socketAddress(),
                config.check(),
                ownHost ? backend.address().toString() : "",
                config.timeout());
    }
}
