package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.config.LatencyConfig;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * How long the checks of a pool's backends take, smoothed: each new time counts for {@link LatencyConfig#alpha}, all before
 * it for the rest. Failed checks say nothing about how far away a backend is. The {@link Latency} strategy goes by it.
 *
 * <p>Thread safety: the control plane adds and asks, whoever compiles reads. A backend that is gone is forgotten with it.
 */
public final class CheckTimes {

    private final LatencyConfig config;
    private final LongSupplier nanoTime;
    private final Map<Backend, Double> nanos = Collections.synchronizedMap(new WeakHashMap<>());
    private final List<Latency> followers = new CopyOnWriteArrayList<>();

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

    /** Has {@link #isStale} ask one that goes by these times. */
    void follow(Latency follower) {
        followers.add(follower);
    }

    /**
     * Takes in a check.
     *
     * @return whether it says anything, so that {@link #isStale} should be asked soon
     */
    public boolean add(Backend backend, HealthStatus.LastCheck check) {
        if (!check.ok()) {
            return false;
        }
        double took = check.took().toNanos();
        nanos.merge(backend, took, (before, unused) -> before + config.alpha() * (took - before));
        return true;
    }

    /** The smoothed time in nanoseconds, if there was a successful check. */
    OptionalDouble of(Backend backend) {
        Double time = nanos.get(backend);
        return time == null ? OptionalDouble.empty() : OptionalDouble.of(time);
    }

    /** Whether a picker that was compiled before goes by an order that holds no more. Cost: O(n log n). */
    public boolean isStale() {
        return followers.stream().anyMatch(Latency::isStale);
    }
}
