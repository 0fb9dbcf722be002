package io.ballast.dashboard.live;

import io.ballast.core.stats.SlidingRate;
import io.ballast.dashboard.source.DnsStatistics;

/** The query and failure rates of the DNS frontend. */
public final class DnsRate {

    private final SlidingRate rate = new SlidingRate();
    private final FloatRing history = new FloatRing(History.SECONDS);
    private final SlidingRate failureRate = new SlidingRate();
    private final FloatRing failureHistory = new FloatRing(History.SECONDS);
    private DnsStatistics source;
    private double queriesPerSecond;
    private double failuresPerSecond;

    DnsRate(DnsStatistics source) {
        this.source = source;
    }

    /**
     * Returns whether {@code next} continues the counters of this source. If its counters are lower, the source
     * has restarted.
     */
    boolean isContinuedBy(DnsStatistics next) {
        long queries = source.queries();
        return next.equals(source) || next.queries() >= queries;
    }

    void switchTo(DnsStatistics next) {
        source = next;
    }

    void sample(long nowNanos) {
        queriesPerSecond = rate.sample(source.queries(), nowNanos);
        history.add(queriesPerSecond);
        failuresPerSecond = failureRate.sample(source.serverFailures(), nowNanos);
        failureHistory.add(failuresPerSecond);
    }

    public DnsStatistics source() {
        return source;
    }

    public double queriesPerSecond() {
        return queriesPerSecond;
    }

    /** History of queries per second. */
    public FloatRing history() {
        return history;
    }

    /** SERVFAIL responses per second. */
    public double failuresPerSecond() {
        return failuresPerSecond;
    }

    /** History of SERVFAIL responses per second. */
    public FloatRing failureHistory() {
        return failureHistory;
    }
}
