package io.ballast.dns.protect;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Loads of many keys in memory that never grows. A load falls exponentially with time; of the eight cells that a key may
 * lie in, a new key takes the one with the least load, so those who ask much are remembered and the rest forgotten.
 *
 * <p>A cell is one word:
 *
 * <pre>
 *   63            48 47                 30 29                            0
 *  |  tag of the key |  tick of the load  |  load, 2^30 - 1 being the limit |
 * </pre>
 *
 * <p>Ticks begin anew every 73 minutes. Who was at the limit and then silent for just that long may be limited for one
 * tick more; no client gets more than the limit by it.
 *
 * <p>Thread safety: shared by all answering threads, without locks. Cells are read and written whole, by opaque access.
 * When two threads add to a cell at the same moment, one addition may be lost: limits hold approximately, and what a lost
 * addition costs is one response.
 */
final class RateTable {

    /** Most that a load may be. */
    static final long CAPACITY = (1L << 30) - 1;

    private static final int CELLS = 1 << 19;
    private static final int WAYS = 8;
    private static final int TAG_SHIFT = 48;
    private static final int TICK_SHIFT = 30;
    private static final int TICK_MASK = (1 << 18) - 1;
    private static final int NANOS_SHIFT = 24;
    /** How far a thread may lag behind another that has read the clock later. */
    private static final int MOST_LAG = 1 << 6;

    private static final int STEPS = 1 << 9;
    private static final int HALVINGS_SHIFT = 24;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] cells = new long[CELLS];
    /** What is left of a load after 0 to 511 ticks, and after as many times 512. */
    private final double[] afterTicks = new double[STEPS];

    private final double[] afterSteps = new double[STEPS];
    private final long halvingsPerTick;

    /** @param decayPerSecond by which share of itself a load falls, at its present speed, within a second */
    RateTable(double decayPerSecond) {
        double perTick = -decayPerSecond * (1L << NANOS_SHIFT) / 1e9;
        halvingsPerTick = Math.round(-perTick / Math.log(2) * (1L << HALVINGS_SHIFT));
        Arrays.setAll(afterTicks, i -> Math.exp(perTick * i));
        Arrays.setAll(afterSteps, i -> Math.exp(perTick * i * STEPS));
    }

    /** The tick that a moment falls into: a 60th of a second. */
    static int tick(long nanos) {
        return (int) (nanos >>> NANOS_SHIFT) & TICK_MASK;
    }

    /** The cell of a key, or the one that it should take. */
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
        int least = first;
        long leastLoad = Long.MAX_VALUE;
        for (int i = first; i < first + WAYS; i++) {
            long load = roughLoad((long) CELL.getOpaque(cells, i), tick);
            if (load < leastLoad) {
                least = i;
                leastLoad = load;
            }
        }
        return least;
    }

    /** The load to within a factor of two, without its table: whole halvings only. */
    private long roughLoad(long word, int tick) {
        long ticks = (tick - (word >>> TICK_SHIFT)) & TICK_MASK;
        long halvings = (ticks * halvingsPerTick) >>> HALVINGS_SHIFT;
        return (word & CAPACITY) >>> Math.min(halvings, Long.SIZE - 1);
    }

    /** The load of a key in its cell; 0 if the cell is another's. */
    long load(int cell, long hash, int tick) {
        long word = (long) CELL.getOpaque(cells, cell);
        return word >>> TAG_SHIFT == hash >>> TAG_SHIFT ? load(word, tick) : 0;
    }

    private long load(long word, int tick) {
        int ticks = (tick - (int) (word >>> TICK_SHIFT)) & TICK_MASK;
        long load = word & CAPACITY;
        return ticks == 0 || ticks > TICK_MASK - MOST_LAG
                ? load
                : (long) (load * (afterTicks[ticks & (STEPS - 1)] * afterSteps[ticks / STEPS]) + 0.5);
    }

    /** Gives a cell to a key, with its load, {@link #CAPACITY} at most. */
    void set(int cell, long hash, int tick, long load) {
        CELL.setOpaque(cells, cell, hash >>> TAG_SHIFT << TAG_SHIFT | (long) tick << TICK_SHIFT | load);
    }
}
