package io.ballast.dashboard.live;

/**
 * The totals of the recent past: the difference between now and a reading that is {@value #MIN_SECONDS} to
 * {@value #MAX_SECONDS} seconds old.
 *
 * <pre>
 *   older     newer     now
 *     |---------|---..---|       after {@value #MIN_SECONDS} readings newer becomes older, and now becomes newer
 *     '---- recent ------'
 * </pre>
 *
 * <p>Stores two old readings instead of one reading per second, which saves memory with thousands of
 * backends.
 */
final class RecentWindow {

    static final int MIN_SECONDS = 10;
    static final int MAX_SECONDS = 2 * MIN_SECONDS;

    private Totals older;
    private Totals newer;
    private Totals now;
    private Totals recent = Totals.NONE;
    private int readings;

    RecentWindow(Totals first) {
        this.older = first;
        this.newer = first;
        this.now = first;
    }

    /** Adds a reading. Call it once a second. */
    void add(Totals reading) {
        boolean turn = ++readings % MIN_SECONDS == 0;
        if (turn) {
            older = newer;
            newer = reading;
        }
        if (turn || !reading.equals(now)) {
            recent = reading.since(older);
        }
        now = reading;
    }

    Totals recent() {
        return recent;
    }
}
