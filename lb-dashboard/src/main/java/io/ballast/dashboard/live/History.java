package io.ballast.dashboard.live;

import io.ballast.core.stats.LatencySummary;

/**
 * One value a second over the last {@value #SECONDS} seconds, so that the charts of a fresh page are not empty. A second
 * without responses has no latency: NaN.
 */
public final class History {

    public static final int SECONDS = 15 * 60;

    private final FloatRing rps = new FloatRing(SECONDS);
    private final FloatRing errorRate = new FloatRing(SECONDS);
    private final FloatRing p50 = new FloatRing(SECONDS);
    private final FloatRing p99 = new FloatRing(SECONDS);

    void add(GroupSeries series) {
        LatencySummary lastSecond = series.lastSecond();
        boolean answered = lastSecond.count() > 0;
        rps.add(series.rps());
        errorRate.add(series.errorsPerSecond());
        p50.add(answered ? lastSecond.percentileMillis(0.5) : Double.NaN);
        p99.add(answered ? lastSecond.percentileMillis(0.99) : Double.NaN);
    }

    /** Clients' requests per second. */
    public FloatRing rps() {
        return rps;
    }

    /** Errors per second that clients saw. */
    public FloatRing errorRate() {
        return errorRate;
    }

    /** Milliseconds. */
    public FloatRing p50() {
        return p50;
    }

    /** Milliseconds. */
    public FloatRing p99() {
        return p99;
    }
}
