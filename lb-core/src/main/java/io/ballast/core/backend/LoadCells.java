package io.ballast.core.backend;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Memory for the numbers that strategies compare for every pick: how much is in flight on a backend and how fast it
 * answers. The backends of a topology share one, so that these numbers lie side by side: with each in an object of its
 * own, two random ones of 10,000 were as many misses of cache and of page table, and a pick took twice as long
 * (PickBenchmark).
 *
 * <p>So event loops write to neighbouring cells. A line that several cores write travels for nearly every write, whether
 * it holds the numbers of one backend or of four; what is only read, such as the array's length, is kept off by unused
 * cells.
 *
 * <p>Thread safety: handing out cells is confined to the thread that builds backends; the cells are written by
 * opaque and atomic operations only.
 */
public final class LoadCells {

    static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    /** Position of a backend's counters, counted from its first cell. */
    static final int IN_FLIGHT = 0;

    static final int RESPONSE_TIME = 1;
    private static final int CELLS_PER_BACKEND = 2;

    /** Unused cells at both ends: 128 bytes, two cache lines. */
    private static final int PADDING = 16;

    final long[] cells;
    private int next = PADDING;

    /** @param backends number of backends that will be created with this object */
    public LoadCells(int backends) {
        this.cells = new long[PADDING + backends * CELLS_PER_BACKEND + PADDING];
    }

    /** The first cell of the next backend. */
    int take() {
        int first = next;
        next += CELLS_PER_BACKEND;
        if (next + PADDING > cells.length) {
            throw new IllegalStateException("cells for more backends than were announced");
        }
        return first;
    }
}
