package io.ballast.core.balance;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The position in a cycle, shared by all event loops, so that shares are exact across loops.
 *
 * <p>It is a counter that wraps after 2^32 turns. At this point one cycle is cut short, unless its length
 * divides 2^32. Cost: one atomic add. The cell has its own cache lines, because every pick writes it.
 */
final class CyclePosition {

    /** Unused cells on each side of the position: 128 bytes (two cache lines), to prevent false sharing. */
    private static final int PADDING = 32;

    private final AtomicIntegerArray cells = new AtomicIntegerArray(PADDING + 1 + PADDING);

    /** Advances to the next position in a cycle of {@code length} and returns it: 0 to {@code length - 1}. */
    int next(int length) {
        return Integer.remainderUnsigned(next(), length);
    }

    /** Returns the position as a plain counter, and increments it by one. The counter wraps. */
    int next() {
        return cells.getAndIncrement(PADDING);
    }

    /** Returns the current position without advancing it, for strategies that set the position explicitly. */
    int current() {
        return cells.getOpaque(PADDING);
    }

    void moveTo(int position) {
        cells.setOpaque(PADDING, position);
    }
}
