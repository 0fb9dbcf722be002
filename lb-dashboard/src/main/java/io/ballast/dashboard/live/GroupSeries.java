package io.ballast.dashboard.live;

import io.ballast.core.stats.SlidingRate;

/** Several backends together as they move: a pool, or all pools. */
public final class GroupSeries {

    private final History history = new History();
    private SlidingRate requestRate = new SlidingRate();
    private SlidingRate errorRate = new SlidingRate();
    private RecentWindow window;
    private Reading total;
    private double rps;
    private int inFlight;

    GroupSeries(Reading first) {
        this.total = first;
        this.window = new RecentWindow(first);
    }

    /** Starts to count from here, because backends came or went; what is in the history stays. */
    void rebase(Reading first) {
        total = first;
        window = new RecentWindow(first);
        requestRate = new SlidingRate();
        errorRate = new SlidingRate();
    }

    void sample(Reading now, int nowInFlight, long nowNanos) {
        Reading lastSecond = now.since(total);
        total = now;
        inFlight = nowInFlight;
        window.add(now);
        rps = requestRate.sample(now.requests(), nowNanos);
        history.add(rps, errorRate.sample(now.errors(), nowNanos), lastSecond.latency());
    }

    /** Since the process began. */
    public Reading total() {
        return total;
    }

    /** Over the last {@value RecentWindow#MIN_SECONDS} to {@value RecentWindow#MAX_SECONDS} seconds. */
    public Reading recent() {
        return window.recent();
    }

    public double rps() {
        return rps;
    }

    public int inFlight() {
        return inFlight;
    }

    public History history() {
        return history;
    }
}
