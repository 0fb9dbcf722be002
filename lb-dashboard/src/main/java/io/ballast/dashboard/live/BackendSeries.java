package io.ballast.dashboard.live;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.balance.Member;
import io.ballast.core.stats.SlidingRate;
import java.util.Arrays;

/** One backend as it moves. */
public final class BackendSeries {

    /** How many seconds of requests per second are kept for the small chart of a row. */
    public static final int SPARK_SECONDS = 60;

    private final SlidingRate rate = new SlidingRate();
    private final FloatRing spark = new FloatRing(SPARK_SECONDS);
    private final RecentWindow window;
    private Member member;
    private Totals total;
    private double rps;
    private double share;
    private boolean quiet;
    private double[] row;
    private boolean rowChanged;
    private HealthStatus announced;

    BackendSeries(Member member) {
        this.member = member;
        this.total = Totals.of(member.backend());
        this.window = new RecentWindow(total);
        this.announced = member.backend().health();
        this.row = Row.of(this);
    }

    /** Goes on with the same backend in another role, such as another weight. */
    BackendSeries as(Member next) {
        member = next;
        return this;
    }

    void sample(long nowNanos) {
        total = read();
        window.add(total);
        rps = rate.sample(total.requests(), nowNanos);
        spark.add(rps);
    }

    /** Adds up a backend's cells, unless nothing can have changed in them: it had nothing to do for two samples. */
    private Totals read() {
        Backend backend = member.backend();
        boolean wasQuiet = quiet;
        quiet = backend.inFlight().count() == 0
                && backend.stats().sum(BackendCounter.REQUESTS) == total.requests()
                && CounterGroups.connectFailures(backend.stats()) == total.settled() - total.requests();
        return quiet && wasQuiet ? total : Totals.of(backend);
    }

    /** Ends the sample, once it is known how many requests the whole pool had in the window. */
    void share(long poolRequests) {
        share = poolRequests == 0 ? 0 : (double) recent().requests() / poolRequests;
        double[] now = Row.of(this);
        rowChanged = !Arrays.equals(now, row);
        if (rowChanged) { // an old one that says the same stays: ten thousand new ones each second would all grow old
            row = now;
        }
    }

    public Member member() {
        return member;
    }

    public Backend backend() {
        return member.backend();
    }

    /** Since the process began, at the last sample. */
    public Totals total() {
        return total;
    }

    /** The same as it is now. */
    public Totals now() {
        return Totals.of(member.backend());
    }

    /** Over the last {@value RecentWindow#MIN_SECONDS} to {@value RecentWindow#MAX_SECONDS} seconds. */
    public Totals recent() {
        return window.recent();
    }

    public double rps() {
        return rps;
    }

    /** Its part of the pool's recent requests, 0 to 1. */
    public double share() {
        return share;
    }

    public FloatRing spark() {
        return spark;
    }

    /** The values of {@link Row#COLUMNS} at the last sample. */
    public double[] row() {
        return row.clone();
    }

    /** Whether the row differs from that of the sample before. */
    public boolean rowChanged() {
        return rowChanged;
    }

    /** Whether its health is news since the last call. */
    public boolean takeHealthNews() {
        HealthStatus now = member.backend().health();
        boolean news = !now.equals(announced);
        announced = now;
        return news;
    }
}
