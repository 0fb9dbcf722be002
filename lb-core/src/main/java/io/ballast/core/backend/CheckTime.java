package io.ballast.core.backend;

/**
 * How long a backend's checks take, smoothed: each new time counts for {@code alpha}, all before it for the rest. Failed checks
 * say nothing about how far away a backend is. It is kept whatever the strategy of the pool, so that one that goes by it needs
 * not wait for checks.
 *
 * <p>Thread safety: the control plane adds, any thread reads.
 */
public final class CheckTime {

    private volatile double nanos = Double.NaN;

    /**
     * Takes in a check.
     *
     * @param alpha above 0, up to 1
     * @return whether it says anything
     */
    public boolean add(HealthStatus.LastCheck check, double alpha) {
        double before = nanos;
        if (!check.ok()) {
            if (Double.isNaN(before)) {
                nanos = Double.POSITIVE_INFINITY;
            }
            return Double.isNaN(before);
        }
        double took = check.took().toNanos();
        nanos = Double.isFinite(before) ? before + alpha * (took - before) : took;
        return true;
    }

    /** In nanoseconds; not a number before the first check, infinite while all have failed. */
    public double nanos() {
        return nanos;
    }
}
