package io.ballast.core.health;

import io.ballast.core.config.HealthCheck;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.function.Consumer;

/** Runs health checks. Implemented where there are sockets. */
@FunctionalInterface
public interface Probe {

    /**
     * Starts one check and returns at once.
     *
     * @param target where to connect
     * @param check what to do there; never {@link HealthCheck.None}
     * @param hostHeader what to send as {@code Host} if the check names none; empty for checks that send none
     * @param timeout for the whole check
     * @param done called exactly once, on any thread, at the latest when the timeout is over; must not block
     */
    void start(
            SocketAddress target, HealthCheck check, String hostHeader, Duration timeout, Consumer<ProbeResult> done);
}
