package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.CheckTime;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.config.LatencyConfig;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * Compares the {@linkplain CheckTime response times of checks} in a pool; shared by the {@link Latency} strategies of
 * its tiers. The times themselves belong to the backends.
 *
 * <p>Thread safety: the control plane writes; compiling threads read.
 */
public final class CheckTimes {

    private final LatencyConfig config;
    private final LongSupplier nanoTime;
    private final List<Latency> strategies = new CopyOnWriteArrayList<>();

    CheckTimes(LatencyConfig config, LongSupplier nanoTime) {
        this.config = config;
        this.nanoTime = nanoTime;
    }

    LatencyConfig config() {
        return config;
    }

    long nowNanos() {
        return nanoTime.getAsLong();
    }

    /** Registers a strategy that uses these check times, so that {@link #isStale} also checks this strategy. */
    void addStrategy(Latency follower) {
        strategies.add(follower);
    }

    /**
     * Adds a check result.
     *
     * @return whether the order may have changed, so that {@link #isStale} should be called soon
     */
    public boolean add(Backend backend, HealthStatus.LastCheck check) {
        return backend.checkTime().add(check, config.alpha());
    }

    /** Returns whether a compiled picker uses an outdated order. Cost: O(n log n). */
    public boolean isStale() {
        return strategies.stream().anyMatch(Latency::isStale);
    }
}
