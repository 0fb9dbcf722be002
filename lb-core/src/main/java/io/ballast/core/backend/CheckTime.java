package io.ballast.core.backend;

/**
 * The exponentially smoothed duration of a backend's checks: each new time has the weight {@code alpha}.
 * Failed checks are ignored. The time is recorded for all strategies, so that the latency strategy has data
 * as soon as it is configured.
 *
 * <p>Thread safety: the control plane adds, any thread reads.
 */
public final class CheckTime {

    private volatile double nanos = Double.NaN;

    /**
     * Adds a check result.
     *
     * @param alpha the weight of the new duration in the average; above 0, up to 1
     * @return whether the result had a duration
     */
    public boolean add(HealthStatus.LastCheck check, double alpha) {
        double before = nanos;
        if (!check.ok()) {
            if (Double.isNaN(before)) {
                nanos = Double.POSITIVE_INFINITY;
            }
            return Double.isNaN(before);
        }
        double took = check.duration().toNanos();
        nanos = Double.isFinite(before) ? before + alpha * (took - before) : took;
        return true;
    }

    /**
     * The smoothed duration in nanoseconds; NaN before the first check, infinite while all checks have failed.
     */
    public double nanos() {
        return nanos;
    }
}
