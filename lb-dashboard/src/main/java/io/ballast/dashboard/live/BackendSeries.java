package io.ballast.dashboard.live;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.backend.HealthStatus.LastCheck;
import io.ballast.core.balance.Member;
import io.ballast.core.stats.SlidingRate;

/**
 * One backend as it moves. Each value remembers the version of {@link LiveStats} in which it last changed, so that the
 * stream sends a page only what changed since the page's last message.
 */
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
    private final long[] columnChangedAt = new long[Row.COLUMNS.size()];
    private HealthStatus health;
    private long healthChangedAt;
    private long checkChangedAt;
    private long checkResultChangedAt;

    BackendSeries(Member member) {
        this.member = member;
        this.total = Totals.of(member.backend());
        this.window = new RecentWindow(total);
        this.health = member.backend().health();
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

    /** Ends the sample of this version, once it is known how many requests the whole pool had in the window. */
    void share(long poolRequests, long version) {
        share = poolRequests == 0 ? 0 : (double) recent().requests() / poolRequests;
        double[] now = Row.of(this);
        boolean changed = false;
        for (int column = 0; column < now.length; column++) {
            if (Double.compare(now[column], row[column]) != 0) {
                columnChangedAt[column] = version;
                changed = true;
            }
        }
        if (changed) { // an equal row keeps the old array: 10,000 new ones each second would all be promoted by the GC
            row = now;
        }
    }

    /** Compares the backend's health with the last one seen, and marks what differs with {@code version}. */
    void lookAtHealth(long version) {
        HealthStatus now = member.backend().health();
        if (now.equals(health)) {
            return;
        }
        LastCheck check = now.lastCheck();
        if (!check.equals(health.lastCheck())) {
            checkChangedAt = version;
            if (check.ok() != health.lastCheck().ok()
                    || !check.text().equals(health.lastCheck().text())) {
                checkResultChangedAt = version;
            }
        }
        if (!now.with(health.lastCheck()).equals(health)) {
            healthChangedAt = version;
        }
        health = now;
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

    /** Its health as it was at the last look. */
    public HealthStatus health() {
        return health;
    }

    /** The columns that changed after that version, as bits in the order of {@link Row#COLUMNS}; 0 for none. */
    public int columnsChangedSince(long version) {
        int columns = 0;
        for (int column = 0; column < columnChangedAt.length; column++) {
            if (columnChangedAt[column] > version) {
                columns |= 1 << column;
            }
        }
        return columns;
    }

    /** Whether state, reason, origin or their time changed after that version. */
    public boolean healthChangedSince(long version) {
        return healthChangedAt > version;
    }

    /** Whether a check ended after that version. */
    public boolean checkedSince(long version) {
        return checkChangedAt > version;
    }

    /** Whether the result or the text of the last check changed after that version, and not only its duration. */
    public boolean checkResultChangedSince(long version) {
        return checkResultChangedAt > version;
    }
}
