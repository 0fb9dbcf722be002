package io.ballast.dashboard.live;

import io.ballast.core.stats.LatencySummary;

/**
 * One value a second over the last {@value #SECONDS} seconds, of a pool or of everything, so that the charts of a fresh
 * page are not empty. A second without responses has no latency: NaN.
 */
public final class History {

    public static final int SECONDS = 15 * 60;

    private final FloatRing rps = new FloatRing(SECONDS);
    private final FloatRing errorRate = new FloatRing(SECONDS);
    private final FloatRing p50 = new FloatRing(SECONDS);
    private final FloatRing p99 = new FloatRing(SECONDS);
    private double lastP50 = Double.NaN;
    private double lastP99 = Double.NaN;
    private double lastErrorRate;

    void add(double requestsPerSecond, double errorsPerSecond, LatencySummary lastSecond) {
        boolean answered = lastSecond.count() > 0;
        lastP50 = answered ? lastSecond.percentileMillis(0.5) : Double.NaN;
        lastP99 = answered ? lastSecond.percentileMillis(0.99) : Double.NaN;
        lastErrorRate = errorsPerSecond;
        rps.add(requestsPerSecond);
        errorRate.add(errorsPerSecond);
        p50.add(lastP50);
        p99.add(lastP99);
    }

    /** Requests per second. */
    public FloatRing rps() {
        return rps;
    }

    /** Errors per second. */
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

    public double lastP50() {
        return lastP50;
    }

    public double lastP99() {
        return lastP99;
    }

    public double lastErrorRate() {
        return lastErrorRate;
    }
}
