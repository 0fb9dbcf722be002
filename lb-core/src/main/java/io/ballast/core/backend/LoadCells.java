package io.ballast.core.backend;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The memory for the numbers that strategies compare for every pick: in-flight counts and response times of
 * backends. The backends of a topology share one array, so that these numbers are adjacent in memory. With
 * one object per backend and 10,000 backends, reading the numbers of two random backends caused two cache
 * misses and two TLB misses. A pick then took twice as long (PickBenchmark).
 *
 * <p>Because of the shared array, event loops write to adjacent cells. If several cores write a cache line,
 * it moves between them for nearly every write, whether it holds the numbers of one backend or of four.
 * Unused cells keep read-only data, such as the array's length, off these lines.
 *
 * <p>Thread safety: only the thread that builds backends allocates cells; the cells are written by opaque and
 * atomic operations only.
 */
public final class LoadCells {

    static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    /** Offset of the in-flight count from a backend's first cell. */
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

    /** Allocates the cells of the next backend and returns the index of the first cell. */
    int allocateCells() {
        int first = next;
        next += CELLS_PER_BACKEND;
        if (next + PADDING > cells.length) {
            throw new IllegalStateException("more backends were allocated than requested from the constructor");
        }
        return first;
    }
}
