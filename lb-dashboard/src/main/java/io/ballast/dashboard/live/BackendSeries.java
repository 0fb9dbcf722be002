package io.ballast.dashboard.live;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.ExternalOverrideSet;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.backend.HealthStatus.LastCheck;
import io.ballast.core.balance.Member;
import io.ballast.core.stats.SlidingRate;

/**
 * The sampled statistics of one backend. Each value is marked with the {@link LiveStats} version in which it
 * last changed, so that the stream sends each page only the changes since its last message.
 */
public final class BackendSeries {

    /** The number of seconds that the sparkline of a backend's row covers. */
    public static final int SPARKLINE_SECONDS = 60;

    private final SlidingRate rate = new SlidingRate();
    private final FloatRing sparkline = new FloatRing(SPARKLINE_SECONDS);
    private final RecentWindow window;
    private Member member;
    private Totals total;
    private double rps;
    private double share;
    private boolean isIdle;
    private double[] row;
    private final long[] columnChangedAt = new long[BackendRow.COLUMNS.size()];
    private HealthStatus health;
    private ExternalOverrideSet overrides;
    private long healthChangedAt;
    private long checkChangedAt;
    private long checkResultChangedAt;

    BackendSeries(Member member) {
        this.member = member;
        this.total = Totals.of(member.backend());
        this.window = new RecentWindow(total);
        this.health = member.backend().health();
        this.overrides = member.backend().externalOverrides();
        this.row = BackendRow.of(this);
    }

    /** Sets the new configuration of the same backend, such as a new weight, and returns this series. */
    BackendSeries withMember(Member next) {
        member = next;
        return this;
    }

    void sample(long nowNanos) {
        total = read();
        window.add(total);
        rps = rate.sample(total.requests(), nowNanos);
        sparkline.add(rps);
    }

    /**
     * Reads the backend's totals. If the backend was idle at this and the previous sample, returns the last
     * totals.
     */
    private Totals read() {
        Backend backend = member.backend();
        boolean wasQuiet = isIdle;
        isIdle = backend.inFlight().count() == 0
                && backend.stats().sum(BackendCounter.REQUESTS) == total.requests()
                && CounterGroups.connectFailures(backend.stats()) == total.completed() - total.requests();
        return isIdle && wasQuiet ? total : Totals.of(backend);
    }

    /**
     * Computes the backend's share of the pool's requests. Must be called last for a sample. {@code poolRequests} is
     * the number of the pool's requests in the window.
     */
    void share(long poolRequests, long version) {
        share = poolRequests == 0 ? 0 : (double) recent().requests() / poolRequests;
        double[] now = BackendRow.of(this);
        boolean changed = false;
        for (int column = 0; column < now.length; column++) {
            if (Double.compare(now[column], row[column]) != 0) {
                columnChangedAt[column] = version;
                changed = true;
            }
        }
        if (changed) { // an unchanged row keeps its array; otherwise the GC would promote 10,000 new arrays per second
            row = now;
        }
    }

    /**
     * Compares the backend's health and external overrides with those at the previous call, and marks changes with
     * {@code version}.
     */
    void updateHealth(long version) {
        ExternalOverrideSet next = member.backend().externalOverrides();
        if (!next.equals(overrides)) {
            overrides = next;
            healthChangedAt = version;
        }
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

    /** Totals since the start of the process, at the last sample. */
    public Totals total() {
        return total;
    }

    /** Totals since the start of the process, read now. */
    public Totals currentTotals() {
        return Totals.of(member.backend());
    }

    /** Totals of the last {@value RecentWindow#MIN_SECONDS} to {@value RecentWindow#MAX_SECONDS} seconds. */
    public Totals recent() {
        return window.recent();
    }

    public double rps() {
        return rps;
    }

    /** Share of the pool's recent requests, 0 to 1. */
    public double share() {
        return share;
    }

    public FloatRing sparkline() {
        return sparkline;
    }

    /** The values of {@link BackendRow#COLUMNS} at the last sample. */
    public double[] row() {
        return row.clone();
    }

    /** Health at the last call of {@link #updateHealth}. */
    public HealthStatus health() {
        return health;
    }

    /**
     * Returns a bit mask of the columns that changed after that version, in the order of {@link
     * BackendRow#COLUMNS}; 0 if none changed.
     */
    public int columnsChangedSince(long version) {
        int columns = 0;
        for (int column = 0; column < columnChangedAt.length; column++) {
            if (columnChangedAt[column] > version) {
                columns |= 1 << column;
            }
        }
        return columns;
    }

    /**
     * Returns whether the health state, its reason, its origin, its start time or the external overrides changed after that
     * version.
     */
    public boolean healthChangedSince(long version) {
        return healthChangedAt > version;
    }

    /** Returns whether a check completed after {@code version}. */
    public boolean checkCompletedSince(long version) {
        return checkChangedAt > version;
    }

    /**
     * Returns whether the result or the text of the last check changed after {@code version}. A new duration
     * alone does not count.
     */
    public boolean checkResultChangedSince(long version) {
        return checkResultChangedAt > version;
    }
}
