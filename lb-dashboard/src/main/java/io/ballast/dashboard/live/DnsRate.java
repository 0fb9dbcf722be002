package io.ballast.dashboard.live;

import io.ballast.core.stats.SlidingRate;
import io.ballast.dashboard.DnsStats;

/** The DNS frontend with its queries per second. */
public final class DnsRate {

    private static final String FAILURE = "SERVFAIL";

    private final SlidingRate rate = new SlidingRate();
    private final FloatRing history = new FloatRing(History.SECONDS);
    private final SlidingRate failureRate = new SlidingRate();
    private final FloatRing failureHistory = new FloatRing(History.SECONDS);
    private DnsStats source;
    private double queriesPerSecond;
    private double failuresPerSecond;

    DnsRate(DnsStats source) {
        this.source = source;
    }

    /** Whether {@code next} goes on counting where this one is: what begins anew has fewer. */
    boolean goesOnAs(DnsStats next) {
        long queries = source.queries();
        return next.equals(source) || next.queries() >= queries;
    }

    void goOnAs(DnsStats next) {
        source = next;
    }

    void sample(long nowNanos) {
        queriesPerSecond = rate.sample(source.queries(), nowNanos);
        history.add(queriesPerSecond);
        failuresPerSecond = failureRate.sample(source.responsesByCode().getOrDefault(FAILURE, 0L), nowNanos);
        failureHistory.add(failuresPerSecond);
    }

    public DnsStats source() {
        return source;
    }

    public double queriesPerSecond() {
        return queriesPerSecond;
    }

    /** Queries per second over time. */
    public FloatRing history() {
        return history;
    }

    /** Answers SERVFAIL per second: what the clients could not be told. */
    public double failuresPerSecond() {
        return failuresPerSecond;
    }

    /** The same over time. */
    public FloatRing failureHistory() {
        return failureHistory;
    }
}
