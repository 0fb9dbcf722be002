package io.ballast.core.health;

import io.ballast.core.config.HealthCheck;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.function.Consumer;

/** Runs health checks. Implemented by modules that open sockets. */
@FunctionalInterface
public interface Probe {

    /**
     * Starts one check and returns immediately.
     *
     * @param target the address to connect to
     * @param check the check; never {@link HealthCheck.None}
     * @param hostHeader the {@code Host} header if the check does not set one; empty for checks without a host
     * @param timeout for the whole check
     * @param done called exactly once, on any thread, no later than the timeout; must not block
     */
    void start(
            SocketAddress target, HealthCheck check, String hostHeader, Duration timeout, Consumer<ProbeResult> done);
}
