package io.ballast.core.backend;

/**
 * The content of a backend's cell in {@link LoadCells}: the number of exchanges in flight, and an additional
 * load for failed exchanges.
 *
 * <p>A backend that fails every exchange at once would have the fewest exchanges in flight and attract the
 * most requests. Therefore a failed exchange adds load for about as long as a response would have taken. This
 * time is divided into two half-lives. A failed exchange counts as two exchanges during the first half-life
 * and as one during the second; after that, it no longer counts. There is no timer: each read halves the load
 * added by failures once for each elapsed half-life. Half-lives end at the same moments for all cells, so that
 * frequent failures do not delay the halving.
 *
 * <pre>
 *   63 ............ 48 47 ........ 44 43 ..... 24 23 ............ 0
 *   added by failures | half-life     | when      | exchanges in flight
 *                     | 2^(26 + n) ns | in 2^26 ns |
 * </pre>
 *
 * The time wraps after 19 hours and would then be ambiguous, so {@link #withoutExpiredFailures} must be
 * called on every cell before that.
 */
final class LoadCell {

    /** The shortest half-life: 67 ms. */
    static final int HALF_LIFE_SHIFT = 26;

    /** Maximum number of times that the half-life is doubled; enough for responses that take half a minute. */
    static final int MAX_DOUBLINGS = 8;

    /** The maximum load that failures add. */
    static final int MAX_ADDED = (1 << 16) - 1;

    private static final int LOAD_PER_FAILURE = 2;
    private static final int TIME_SHIFT = 24;
    private static final int COUNT_MASK = (1 << TIME_SHIFT) - 1;
    private static final int DOUBLINGS_SHIFT = 44;
    private static final int ADDED_SHIFT = 48;
    private static final int TIME_MASK = (1 << (DOUBLINGS_SHIFT - TIME_SHIFT)) - 1;

    /** Number of half-lives after which the load has expired. */
    private static final int MAX_HALF_LIVES = 16;

    /**
     * Maximum clock skew, in units of the shortest half-life: about a second in total. A timestamp that is at
     * most this far in the future is treated as the current time, because event loops read their clocks at
     * different moments.
     */
    private static final int MAX_CLOCK_SKEW = 16;

    private LoadCell() {}

    /** Number of exchanges in flight. */
    static int count(long cell) {
        return (int) cell & COUNT_MASK;
    }

    /** Number of exchanges in flight plus the load of failed exchanges. */
    static int load(long cell, long nowNanos) {
        int count = count(cell);
        return cell >>> TIME_SHIFT == 0 ? count : count + failureLoad(cell, nowNanos);
    }

    /** Returns the load that failed exchanges still add to the cell. */
    private static int failureLoad(long cell, long nowNanos) {
        int doublings = (int) (cell >>> DOUBLINGS_SHIFT) & 0xF;
        int then = (int) (cell >>> TIME_SHIFT) & TIME_MASK;
        int since = (time(nowNanos) >>> doublings) - (then >>> doublings);
        int ahead = Math.max(MAX_CLOCK_SKEW >>> doublings, 1);
        int halves = Math.max(((since + ahead) & (TIME_MASK >>> doublings)) - ahead, 0);
        return halves >= MAX_HALF_LIVES ? 0 : (int) (cell >>> ADDED_SHIFT) >>> halves;
    }

    /** Returns the cell with one more failed exchange added, which counts as load for {@code forNanos}. */
    static long withFailure(long cell, long forNanos, long nowNanos) {
        long doublings = 0;
        while (doublings < MAX_DOUBLINGS && 2L << (HALF_LIFE_SHIFT + doublings) < forNanos) {
            doublings++;
        }
        long added = Math.min(failureLoad(cell, nowNanos) + LOAD_PER_FAILURE, MAX_ADDED);
        return (added << ADDED_SHIFT)
                | (doublings << DOUBLINGS_SHIFT)
                | ((long) time(nowNanos) << TIME_SHIFT)
                | count(cell);
    }

    /** Returns the cell without expired failures. */
    static long withoutExpiredFailures(long cell, long nowNanos) {
        return failureLoad(cell, nowNanos) == 0 ? count(cell) : cell;
    }

    private static int time(long nowNanos) {
        return (int) (nowNanos >>> HALF_LIFE_SHIFT) & TIME_MASK;
    }
}
