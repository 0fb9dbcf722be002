package io.ballast.core.stats;

/**
 * Converts a growing counter to a rate per second over the time between two samples.
 *
 * <p>Thread safety: confined to the thread that samples.
 */
public final class SlidingRate {

    private long lastValue;
    private long lastNanos;
    private double perSecond;
    private boolean primed;

    /**
     * Takes a sample and returns the rate since the previous sample; 0 for the first. A sample with the same time
     * as the previous one has no effect: its increase is included in the next sample.
     */
    public double sample(long value, long nowNanos) {
        if (primed) {
            if (nowNanos <= lastNanos) {
                return perSecond;
            }
            perSecond = (value - lastValue) * 1e9 / (nowNanos - lastNanos);
        }
        primed = true;
        lastValue = value;
        lastNanos = nowNanos;
        return perSecond;
    }
}
