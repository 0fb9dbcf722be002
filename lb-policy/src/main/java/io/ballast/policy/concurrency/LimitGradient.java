package io.ballast.policy.concurrency;

/**
 * Computes an adaptive concurrency limit from the latencies of periods, like Netflix's Gradient2 from the ratio of the
 * latency to its long-term baseline. The limit grows while the latency stays near the baseline and the limit is in use;
 * the latency grows with it once the backends queue requests:
 *
 * <pre>
 *   latency                         limit
 *     1.5 b ┤      /|    /|           1.5 c ┤      /|    /|
 *           │     / |   / |                 │     / |   / |
 *         b ┤____/  |__/  |             c ┤  /  |__/  |      b: baseline, c: capacity
 * </pre>
 *
 * <p>When two periods in a row exceed {@value #TOLERANCE} times the baseline, the limit falls below the estimated
 * capacity. So the queue of the backends becomes empty for a moment, and the baseline is measured again in each cycle.
 * Therefore the baseline does not follow the latency of an overload. In Gradient2, the baseline follows it, so that the
 * limit can grow without bound. Envoy prevents this with periods of a minimal limit, which are not needed here. If the
 * latency does not fall together with the limit, the limit does not cause the latency: the limit is restored, and the
 * latency becomes the baseline.
 *
 * <p>If more than a tenth of the requests fail, the limit is reduced, too. A limit that is not reached does not change.
 *
 * <p>Not thread-safe. Reads no clock: a result depends only on the arguments of the calls so far. Cost: constant;
 * allocates nothing.
 */
final class LimitGradient {

    /** If the latency exceeds this multiple of the baseline, requests wait in the backends. */
    static final double TOLERANCE = 1.5;

    /** The growth factor of a period before the limit was too high for the first time. */
    private static final double FAST_GROWTH = 1.5;

    private static final double GROWTH = 1.05;
    /** The limit is cut to this share of the estimated capacity. */
    private static final double DRAIN = 0.85;

    private static final double MAX_CUT = 0.5;
    private static final double FAILURE_CUT = 0.8;
    private static final int MAX_FAILURE_PERCENT = 10;
    /** A cut was useless if the latency decreased by less than this part of the expected decrease. */
    private static final double FUTILE = 0.3;

    private static final double BASELINE_FALL = 0.1;
    private static final double BASELINE_RISE = 0.02;

    private final double min;
    private final double max;
    private double limit;
    /** The latency in nanoseconds without a queue in the backends; 0 if unknown. */
    private double baseline;
    /** The limit grows fast up to this value, which was not too high before. */
    private double fastBelow = Double.MAX_VALUE;
    /** The number of periods in a row above the tolerance. */
    private int exceeded;
    /** Whether the next period contains requests that were sent before a cut. */
    private boolean settling;
    /** The limit and the latency before the last cut; 0 if its result is known. */
    private double limitBefore;

    private double latencyBefore;

    LimitGradient(int min, int max) {
        this.min = min;
        this.max = max;
        this.limit = min;
    }

    /**
     * Returns the limit after a period.
     *
     * @param latency the mean latency in nanoseconds; ignored if there were no responses
     * @param responses the number of responses
     * @param failures the number of failures
     * @param reached whether requests have used most of the limit
     */
    int next(double latency, int responses, int failures, boolean reached) {
        if (reached && failures * 100L > (long) (responses + failures) * MAX_FAILURE_PERCENT) {
            fastBelow = Math.max(fastBelow, limit * DRAIN);
            cut(FAILURE_CUT);
            limitBefore = 0;
        } else if (responses > 0) {
            follow(latency, reached);
        }
        return (int) Math.round(limit);
    }

    /** The latency in nanoseconds without a queue in the backends; 0 if unknown. */
    double baseline() {
        return baseline;
    }

    private void follow(double latency, boolean reached) {
        if (baseline == 0) {
            baseline = latency;
        }
        if (settling) {
            settling = false;
            return;
        }
        if (limitBefore > 0) {
            evaluateCut(latency);
            limitBefore = 0;
        } else {
            baseline += (latency - baseline) * (latency < baseline ? BASELINE_FALL : BASELINE_RISE);
        }
        if (!reached) {
            exceeded = 0;
        } else if (latency <= baseline * TOLERANCE) {
            exceeded = 0;
            grow();
        } else if (++exceeded == 2) {
            reduce(latency);
        }
    }

    private void grow() {
        limit = Math.min(max, limit < fastBelow ? limit * FAST_GROWTH : Math.max(limit * GROWTH, limit + 1));
    }

    private void reduce(double latency) {
        limitBefore = limit;
        latencyBefore = latency;
        fastBelow = 0;
        cut(Math.max(MAX_CUT, baseline / latency * DRAIN));
    }

    private void cut(double factor) {
        limit = Math.max(min, limit * factor);
        exceeded = 0;
        settling = true;
    }

    private void evaluateCut(double latency) {
        double expected = latencyBefore * (1 - limit / limitBefore);
        if (latencyBefore - latency > FUTILE * expected) {
            baseline = Math.min(baseline, latency);
        } else {
            baseline = Math.max(baseline, latency);
            limit = limitBefore;
        }
    }
}
