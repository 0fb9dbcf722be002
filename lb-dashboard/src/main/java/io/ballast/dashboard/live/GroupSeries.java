package io.ballast.dashboard.live;

import io.ballast.core.stats.LatencySummary;
import io.ballast.core.stats.SlidingRate;

/** Sampled totals of a pool's backends, of a pool's requests, or of all clients' requests. */
public final class GroupSeries {

    private final SlidingRate requestRate = new SlidingRate();
    private final SlidingRate errorRate = new SlidingRate();
    private final RecentWindow window;
    private Totals total;
    private Totals totalWithRemoved;
    private double rps;
    private double errorsPerSecond;
    private LatencySummary lastSecond = LatencySummary.NOTHING;

    GroupSeries(Totals first) {
        this.total = first;
        this.totalWithRemoved = first;
        this.window = new RecentWindow(first);
    }

    void sample(Totals now, long nowNanos) {
        sample(now, Totals.NONE, nowNanos);
    }

    /** @param removed the totals of removed sources, which the rates include, so that a removal causes no jump */
    void sample(Totals now, Totals removed, long nowNanos) {
        Totals all = removed.equals(Totals.NONE) ? now : now.plus(removed);
        lastSecond = all.since(totalWithRemoved).latency();
        totalWithRemoved = all;
        total = now;
        window.add(all);
        rps = requestRate.sample(all.requests(), nowNanos);
        errorsPerSecond = errorRate.sample(all.errors(), nowNanos);
    }

    /** Totals since the start of the process, at the last sample. */
    public Totals total() {
        return total;
    }

    /** Totals of the last {@value RecentWindow#MIN_SECONDS} to {@value RecentWindow#MAX_SECONDS} seconds. */
    public Totals recent() {
        return window.recent();
    }

    public double rps() {
        return rps;
    }

    public double errorsPerSecond() {
        return errorsPerSecond;
    }

    /** Response times of the last second. */
    public LatencySummary lastSecond() {
        return lastSecond;
    }
}
