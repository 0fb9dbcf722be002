package io.ballast.core.backend;

import io.ballast.core.Checks;

/**
 * How many exchanges run on a backend now, over all event loops, and how many may.
 *
 * <p>One shared cell rather than one per loop: strategies compare these counts for every pick, and with few
 * connections on many loops a loop's own count says nothing. Cost: one uncontended atomic add at each end of an
 * exchange.
 *
 * <p>Thread safety: any thread may call any method.
 */
public final class InFlight {

    private final long[] cells;
    private final int cell;
    private volatile int limit;

    /** @param limit most exchanges at once; 0 for no limit */
    public InFlight(int limit) {
        this(limit, new long[1], 0);
    }

    /** Counts in a cell of a shared array. */
    InFlight(int limit, long[] cells, int cell) {
        this.limit = effective(limit);
        this.cells = cells;
        this.cell = cell;
    }

    private static int effective(int limit) {
        return Checks.atLeast(limit, 0, "limit") == 0 ? Integer.MAX_VALUE : limit;
    }

    /**
     * Sets another limit for what begins from now on. What runs goes on, also beyond it.
     *
     * @param most most exchanges at once; 0 for no limit
     */
    public void limit(int most) {
        limit = effective(most);
    }

    /** Counts one more, whatever the limit. */
    public void begin() {
        LoadCells.CELLS.getAndAdd(cells, cell, 1L);
    }

    /** Counts one more unless as many run as may; returns whether it was counted. Exact under contention. */
    public boolean tryBegin() {
        if (limit == Integer.MAX_VALUE) {
            begin();
            return true;
        }
        while (true) {
            long count = (long) LoadCells.CELLS.getVolatile(cells, cell);
            if (count >= limit) {
                return false;
            }
            if (LoadCells.CELLS.compareAndSet(cells, cell, count, count + 1)) {
                return true;
            }
        }
    }

    public void end() {
        LoadCells.CELLS.getAndAdd(cells, cell, -1L);
    }

    public int count() {
        return (int) (long) LoadCells.CELLS.getOpaque(cells, cell);
    }

    /** Whether the limit is reached at this moment; {@link #tryBegin} is what keeps it. */
    public boolean isFull() {
        return count() >= limit;
    }

    long[] cells() {
        return cells;
    }

    int cell() {
        return cell;
    }

    /** Most exchanges at once; {@link Integer#MAX_VALUE} when there is no limit. */
    int limit() {
        return limit;
    }
}
