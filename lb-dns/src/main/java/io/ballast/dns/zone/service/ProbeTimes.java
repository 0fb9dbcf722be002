package io.ballast.dns.zone.service;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The duration of backend checks as an exponential moving average: each new time has the weight {@code
 * alpha}, and the previous average has the remaining weight. Failed checks are ignored, because their
 * duration does not show how far away a backend is.
 *
 * <p>Thread safety: the control plane adds times, the compiler reads the average.
 */
final class ProbeTimes {

    private final double alpha;
    private final Map<Backend, Double> nanos = new ConcurrentHashMap<>();

    /** @param alpha weight of a new time, above 0 and at most 1 */
    ProbeTimes(double alpha) {
        this.alpha = alpha;
    }

    void add(Backend backend, HealthStatus.LastCheck check) {
        if (check.ok()) {
            double took = check.duration().toNanos();
            nanos.merge(backend, took, (before, unused) -> before + alpha * (took - before));
        }
    }

    /**
     * Returns the average duration of a backend's successful checks in nanoseconds; empty if there were none.
     */
    OptionalDouble of(Backend backend) {
        Double time = nanos.get(backend);
        return time == null ? OptionalDouble.empty() : OptionalDouble.of(time);
    }
}
