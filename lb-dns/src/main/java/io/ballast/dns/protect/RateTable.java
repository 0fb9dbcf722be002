package io.ballast.dns.protect;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A fixed-size hash table of loads by key. Loads decay exponentially. A key may be in one of eight cells; a
 * new key replaces the least loaded of these cells, so that heavy clients are kept and light clients are
 * evicted.
 *
 * <p>A cell is one word:
 *
 * <pre>
 *   63            48 47                 30 29                            0
 *  |  tag of the key |  tick of the load  |  load, 2^30 - 1 being the limit |
 * </pre>
 *
 * <p>Ticks wrap around every 73 minutes. A client that was at the limit and then silent for exactly that time
 * may be limited for one more tick; no client can exceed the limit this way.
 *
 * <p>Thread safety: shared by all answering threads, without locks. Cells are read and written as a whole, by
 * opaque access. When two threads update a cell at the same moment, one update may be lost. Limits are
 * therefore approximate: a lost update allows one response too many.
 */
final class RateTable {

    /** Maximum load of a key. */
    static final long CAPACITY = (1L << 30) - 1;

    private static final int CELLS = 1 << 19;
    private static final int WAYS = 8;
    private static final int TAG_SHIFT = 48;
    private static final int TICK_SHIFT = 30;
    private static final int TICK_MASK = (1 << 18) - 1;
    private static final int NANOS_SHIFT = 24;
    /** Maximum number of ticks by which a thread's clock reading may be older than the tick stored in a cell. */
    private static final int MAX_LAG = 1 << 6;

    private static final int STEPS = 1 << 9;
    private static final int HALVINGS_SHIFT = 24;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] cells = new long[CELLS];
    /** Remaining fraction of a load after a number of ticks: one array for 0 to 511, one for multiples of 512. */
    private final double[] afterTicks = new double[STEPS];

    private final double[] afterSteps = new double[STEPS];
    private final long halvingsPerTick;

    /** @param decayPerSecond decay rate of loads per second */
    RateTable(double decayPerSecond) {
        double perTick = -decayPerSecond * (1L << NANOS_SHIFT) / 1e9;
        halvingsPerTick = Math.round(-perTick / Math.log(2) * (1L << HALVINGS_SHIFT));
        Arrays.setAll(afterTicks, i -> Math.exp(perTick * i));
        Arrays.setAll(afterSteps, i -> Math.exp(perTick * i * STEPS));
    }

    /** Returns the tick of a time; one tick is about a 60th of a second. */
    static int tick(long nanos) {
        return (int) (nanos >>> NANOS_SHIFT) & TICK_MASK;
    }

    /** Returns the cell of a key. If no cell holds the key, returns the cell whose key should be replaced. */
    int find(long hash, int tick) {
        int first = (int) hash & (CELLS - WAYS);
        long tag = hash >>> TAG_SHIFT;
        for (int i = first; i < first + WAYS; i++) {
            if ((long) CELL.getOpaque(cells, i) >>> TAG_SHIFT == tag) {
                return i;
            }
        }
        return leastLoaded(first, tick);
    }

    private int leastLoaded(int first, int tick) {
        int min = first;
        long minLoad = Long.MAX_VALUE;
        for (int i = first; i < first + WAYS; i++) {
            long load = roughLoad((long) CELL.getOpaque(cells, i), tick);
            if (load < minLoad) {
                min = i;
                minLoad = load;
            }
        }
        return min;
    }

    /** Estimates a load within a factor of two: counts only whole half-lives, without a table lookup. */
    private long roughLoad(long word, int tick) {
        long ticks = (tick - (word >>> TICK_SHIFT)) & TICK_MASK;
        long halvings = (ticks * halvingsPerTick) >>> HALVINGS_SHIFT;
        return (word & CAPACITY) >>> Math.min(halvings, Long.SIZE - 1);
    }

    /** Returns the load of a key; 0 if the cell holds another key. */
    long load(int cell, long hash, int tick) {
        long word = (long) CELL.getOpaque(cells, cell);
        return word >>> TAG_SHIFT == hash >>> TAG_SHIFT ? load(word, tick) : 0;
    }

    private long load(long word, int tick) {
        int ticks = (tick - (int) (word >>> TICK_SHIFT)) & TICK_MASK;
        long load = word & CAPACITY;
        return ticks == 0 || ticks > TICK_MASK - MAX_LAG
                ? load
                : (long) (load * (afterTicks[ticks & (STEPS - 1)] * afterSteps[ticks / STEPS]) + 0.5);
    }

    /** Stores the load of a key, {@link #CAPACITY} at most, in a cell. */
    void set(int cell, long hash, int tick, long load) {
        CELL.setOpaque(cells, cell, hash >>> TAG_SHIFT << TAG_SHIFT | (long) tick << TICK_SHIFT | load);
    }
}
