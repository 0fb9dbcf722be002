package io.ballast.dns.stats;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A growing array of counters. Thread safety: one thread writes, any thread reads. Cost: an increment is one load and
 * one opaque store; allocates only when the array grows.
 */
final class CounterCells {

    /** Unused cells at both ends, so that two threads' cells never share a cache line or adjacent lines. */
    private static final int PADDING = 16;

    private static final int INITIAL_CELLS = 64;
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    private volatile long[] cells = new long[PADDING + INITIAL_CELLS + PADDING];

    void increment(int cell) {
        int at = PADDING + cell;
        long[] present = cells;
        if (at >= present.length - PADDING) {
            present = Arrays.copyOf(present, Math.max(2 * present.length, at + 1 + PADDING));
            cells = present;
        }
        CELLS.setOpaque(present, at, present[at] + 1);
    }

    long get(int cell) {
        long[] present = cells;
        int at = PADDING + cell;
        return at < present.length ? (long) CELLS.getOpaque(present, at) : 0;
    }
}
