package io.ballast.dashboard.live;

import io.ballast.core.stats.LatencySummary;

/**
 * One value per second for the last {@value #SECONDS} seconds, so that charts have data as soon as a page
 * opens. The latency of a second without responses is NaN.
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

    /** Requests of clients per second. */
    public FloatRing rps() {
        return rps;
    }

    /** Errors per second, as seen by clients. */
    public FloatRing errorRate() {
        return errorRate;
    }

    /** The median response time of each second in milliseconds. */
    public FloatRing p50() {
        return p50;
    }

    /** The 99th percentile of the response time of each second in milliseconds. */
    public FloatRing p99() {
        return p99;
    }
}
