package io.ballast.dashboard.live;

import io.ballast.core.stats.SlidingRate;

/**
 * The number of responses per second with one status class: the current value, and the values of the last
 * {@value #SECONDS} seconds.
 */
public final class StatusRate {

    public static final int SECONDS = 5 * 60;

    private final SlidingRate rate = new SlidingRate();
    private final FloatRing history = new FloatRing(SECONDS);
    private double perSecond;

    StatusRate() {}

    void sample(long responses, long nowNanos) {
        perSecond = rate.sample(responses, nowNanos);
        history.add(perSecond);
    }

    public double perSecond() {
        return perSecond;
    }

    public FloatRing history() {
        return history;
    }
}
