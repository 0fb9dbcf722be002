package io.ballast.core.backend;

import io.ballast.core.Checks;

/**
 * The number of exchanges in flight on a backend, over all event loops, and its limit. Strategies compare the
 * load, which also includes failed exchanges for some time ({@link LoadCell}).
 *
 * <p>The event loops share one cell instead of having one each, because strategies compare these counts for
 * every pick. With few connections on many loops, the count of one loop is meaningless. Cost: one uncontended
 * atomic add at the start and at the end of an exchange.
 *
 * <p>Thread safety: any thread may call any method.
 */
public final class InFlight {

    private final long[] cells;
    private final int cell;
    private volatile int limit;

    /** @param limit maximum number of concurrent exchanges; 0 for no limit */
    public InFlight(int limit) {
        this(limit, new long[1], 0);
    }

    /** Stores the count in a cell of a shared array. */
    InFlight(int limit, long[] cells, int cell) {
        this.limit = effective(limit);
        this.cells = cells;
        this.cell = cell;
    }

    private static int effective(int limit) {
        return Checks.atLeast(limit, 0, "limit") == 0 ? Integer.MAX_VALUE : limit;
    }

    /**
     * Sets the limit for new exchanges. Exchanges already in flight continue, even if they exceed the limit.
     *
     * @param max the maximum number of exchanges in flight; 0 for no limit
     */
    public void limit(int max) {
        limit = effective(max);
    }

    /** Adds one exchange regardless of the limit. */
    public void begin() {
        LoadCells.CELLS.getAndAdd(cells, cell, 1L);
    }

    /** Adds one exchange unless the limit is reached; returns whether it was added. Exact under contention. */
    public boolean tryBegin() {
        if (limit == Integer.MAX_VALUE) {
            begin();
            return true;
        }
        while (true) {
            long now = (long) LoadCells.CELLS.getVolatile(cells, cell);
            if (LoadCell.count(now) >= limit) {
                return false;
            }
            if (LoadCells.CELLS.compareAndSet(cells, cell, now, now + 1)) {
                return true;
            }
        }
    }

    public void end() {
        LoadCells.CELLS.getAndAdd(cells, cell, -1L);
    }

    /**
     * Records a failed exchange. Strategies count it as an exchange in flight for the given time; the connection
     * limit ignores it. A short time is rounded up to about a tenth of a second.
     */
    public void recordFailure(long forNanos, long nowNanos) {
        long before;
        do {
            before = (long) LoadCells.CELLS.getVolatile(cells, cell);
        } while (!LoadCells.CELLS.compareAndSet(cells, cell, before, LoadCell.withFailure(before, forNanos, nowNanos)));
    }

    /**
     * Removes the expired load of failed exchanges. The control plane must call this method several times within
     * every {@link LoadCell 19 hours}.
     */
    public void forgetFailures(long nowNanos) {
        long before = (long) LoadCells.CELLS.getVolatile(cells, cell);
        long settled = LoadCell.withoutExpiredFailures(before, nowNanos);
        if (settled != before) {
            // If another thread has changed the cell since it was read, the next call removes the expired load.
            boolean unused = LoadCells.CELLS.compareAndSet(cells, cell, before, settled);
        }
    }

    public int count() {
        return LoadCell.count((long) LoadCells.CELLS.getOpaque(cells, cell));
    }

    /** {@link #count} plus the load of recently failed exchanges. */
    public int load(long nowNanos) {
        return LoadCell.load((long) LoadCells.CELLS.getOpaque(cells, cell), nowNanos);
    }

    /** Returns whether the limit is currently reached; only {@link #tryBegin} enforces it. */
    public boolean isFull() {
        return count() >= limit;
    }

    /** Returns whether recently failed exchanges still count in {@link #load}. */
    public boolean hasFailedLately(long nowNanos) {
        long now = (long) LoadCells.CELLS.getOpaque(cells, cell);
        return LoadCell.load(now, nowNanos) > LoadCell.count(now);
    }

    long[] cells() {
        return cells;
    }

    int cell() {
        return cell;
    }

    /** Maximum number of concurrent exchanges; {@link Integer#MAX_VALUE} without a limit. */
    int limit() {
        return limit;
    }
}
