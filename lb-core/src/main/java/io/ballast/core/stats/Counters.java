package io.ballast.core.stats;

import io.ballast.core.Checks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A set of counters named by an enum, sharded by event loop.
 *
 * <p>Thread safety: each {@link Shard} has one writer, the event loop to which it belongs; {@link #sum} may
 * be called by any thread. Cost: an increment is one load and one opaque store, allocates nothing and never
 * contends.
 *
 * @param <C> the enum of the counters' names
 */
public final class Counters<C extends Enum<C>> {

    /**
     * Unused cells at both ends of a shard, so that two shards share neither a cache line nor adjacent cache
     * lines.
     */
    private static final int PADDING = 16;

    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    private final Shard<C>[] shards;

    @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no generic arrays
    public Counters(Class<C> names, int shards) {
        Checks.positive(shards, "shards");
        this.shards = new Shard[shards];
        int cells = names.getEnumConstants().length;
        for (int i = 0; i < shards; i++) {
            this.shards[i] = new Shard<>(cells);
        }
    }

    /** The shard that event loop {@code index} writes. */
    public Shard<C> shard(int index) {
        return shards[index];
    }

    /** The total of one counter over all shards. */
    public long sum(C counter) {
        long sum = 0;
        for (Shard<C> shard : shards) {
            sum += shard.get(counter);
        }
        return sum;
    }

    /** The cells of one event loop. Only that loop may write. */
    public static final class Shard<C extends Enum<C>> {

        private final long[] cells;

        private Shard(int count) {
            this.cells = new long[PADDING + count + PADDING];
        }

        public void increment(C counter) {
            add(counter, 1);
        }

        public void add(C counter, long amount) {
            int cell = PADDING + counter.ordinal();
            CELLS.setOpaque(cells, cell, cells[cell] + amount);
        }

        long get(C counter) {
            return (long) CELLS.getOpaque(cells, PADDING + counter.ordinal());
        }
    }
}
