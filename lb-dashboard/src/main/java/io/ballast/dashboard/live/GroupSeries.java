package io.ballast.dashboard.live;

import io.ballast.core.stats.LatencySummary;
import io.ballast.core.stats.SlidingRate;

/** Totals as they move: of a pool's backends together, of a pool's requests, or of all clients' requests. */
public final class GroupSeries {

    private SlidingRate requestRate = new SlidingRate();
    private SlidingRate errorRate = new SlidingRate();
    private RecentWindow window;
    private Totals total;
    private double rps;
    private double errorsPerSecond;
    private LatencySummary lastSecond = LatencySummary.NOTHING;

    GroupSeries(Totals first) {
        this.total = first;
        this.window = new RecentWindow(first);
    }

    /** Starts to count from here, because backends came or went. */
    void rebase(Totals first) {
        total = first;
        window = new RecentWindow(first);
        requestRate = new SlidingRate();
        errorRate = new SlidingRate();
    }

    void sample(Totals now, long nowNanos) {
        lastSecond = now.since(total).latency();
        total = now;
        window.add(now);
        rps = requestRate.sample(now.requests(), nowNanos);
        errorsPerSecond = errorRate.sample(now.errors(), nowNanos);
    }

    /** Since the process began, at the last sample. */
    public Totals total() {
        return total;
    }

    /** Over the last {@value RecentWindow#MIN_SECONDS} to {@value RecentWindow#MAX_SECONDS} seconds. */
    public Totals recent() {
        return window.recent();
    }

    public double rps() {
        return rps;
    }

    public double errorsPerSecond() {
        return errorsPerSecond;
    }

    /** Response times in the last second. */
    public LatencySummary lastSecond() {
        return lastSecond;
    }
}
