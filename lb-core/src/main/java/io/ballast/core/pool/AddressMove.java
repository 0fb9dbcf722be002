package io.ballast.core.pool;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Instant;

/**
 * A backend whose name resolves to another address.
 *
 * @param from the previous address; unresolved if the name had none
 * @param to the new address
 */
public record AddressMove(Backend backend, SocketAddress from, SocketAddress to) {

    /**
     * Activates the address. Overrides and the health of the backend are preserved. If the backend had no address
     * before, checks determine its health from now on; without checks, it is marked up. Called by the control
     * plane only.
     */
    void commit(HealthConfig health, Instant now) {
        boolean wasResolved = backend.isResolved();
        backend.socketAddress(to);
        if (wasResolved || backend.isStateOverridden() || backend.health().state() == BackendState.DRAINING) {
            return;
        }
        backend.health(
                health.check() instanceof HealthCheck.None
                        ? HealthStatus.unchecked(now)
                        : new HealthStatus(
                                BackendState.DOWN,
                                backend.health().since(),
                                HealthStatus.Origin.CHECK,
                                "not checked yet at " + text(to),
                                HealthStatus.LastCheck.NONE));
    }

    /** Describes the move without the backend's name: {@code moves from 10.0.0.1 to 10.0.0.2}. */
    public String text() {
        return from instanceof InetSocketAddress before && before.isUnresolved()
                ? "resolved to " + text(to)
                : "moves from " + text(from) + " to " + text(to);
    }

    private static String text(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : address.toString();
    }
}
