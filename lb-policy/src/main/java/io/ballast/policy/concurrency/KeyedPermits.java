package io.ballast.policy.concurrency;

import io.ballast.core.Checks;
import io.ballast.policy.table.ChunkedCells;
import io.ballast.policy.table.TopKeys;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts the requests in flight of each key. A cell holds the upper 40 bits of a key and its count; the lower bits of the
 * key select a set of {@value #WAYS} cells. Both parts of a cell change together by a compare-and-set, so a count cannot
 * be added to another key. A cell is free again as soon as its count is zero.
 *
 * <p>Two threads may make two cells for one key at the same time. Each then finds the other cell, undoes its own, and
 * tries again. If a third thread has counted in one of them before that, both cells remain until one is zero, and the
 * key may exceed its limit until then. No count is lost: {@link #release} decrements any cell of its key.
 *
 * <p>Memory: 16 to 32 bytes for each key of the maximum, allocated in chunks as keys arrive. Cost: one pass over a set and
 * one atomic update; allocates nothing but chunks.
 */
final class KeyedPermits implements Permits {

    /** The exclusive maximum of a limit. */
    static final int MAX_COUNT = 1 << 24;

    private static final int WAYS = 16;
    private static final int MAX_READ_CHUNKS = 512;
    private static final long COUNT = MAX_COUNT - 1;
    /** The bits of a key that its cell contains. */
    static final long KEY = ~COUNT;

    private static final long FREE = 0;
    private static final int NONE = -1;
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    private final int limit;
    private final ChunkedCells chunks;

    /**
     * @param limit the maximum number of requests of a key at the same time
     * @param keys the maximum number of keys
     */
    KeyedPermits(int limit, int keys) {
        this.limit = Checks.between(limit, 1, MAX_COUNT - 1, "limit");
        this.chunks = new ChunkedCells(keys, WAYS, /* entryCells= */ 1);
    }

    @Override
    public boolean tryAcquire(long key) {
        long owner = key & KEY;
        long[] cells = chunks.chunk((int) key);
        int first = chunks.firstCell((int) key);
        while (true) {
            int at = find(cells, owner, first);
            if (at != NONE) {
                long cell = cell(cells, at);
                if (!isOf(cell, owner)) {
                    continue; // another thread has released the cell meanwhile
                }
                if ((cell & COUNT) >= limit) {
                    return false;
                }
                if (CELLS.compareAndSet(cells, at, cell, cell + 1)) {
                    return true;
                }
                continue;
            }
            at = findFree(cells, first);
            if (at == NONE) {
                return false;
            }
            if (CELLS.compareAndSet(cells, at, FREE, owner | 1)) {
                if (!hasOther(cells, owner, first, at)) {
                    return true;
                }
                // Releases any cell of the key, because another thread may already have released the new one
                release(key);
            }
        }
    }

    /** Whether a key has no cell, and no free cell is left for it. */
    boolean isFullFor(long key) {
        long[] cells = chunks.chunk((int) key);
        int first = chunks.firstCell((int) key);
        return find(cells, key & KEY, first) == NONE && findFree(cells, first) == NONE;
    }

    @Override
    public void release(long key) {
        long owner = key & KEY;
        long[] cells = chunks.chunk((int) key);
        int first = chunks.firstCell((int) key);
        while (true) { // the loop ends because a cell contains the count of this request
            int at = find(cells, owner, first);
            if (at != NONE && decrement(cells, owner, at)) {
                return;
            }
        }
    }

    /** The number of requests of a key in flight. */
    long inFlight(long key) {
        long[] cells = chunks.existingChunk((int) key);
        int first = chunks.firstCell((int) key);
        long count = 0;
        for (int at = first; cells != null && at < first + WAYS; at++) {
            long cell = cell(cells, at);
            count += isOf(cell, key & KEY) ? cell & COUNT : 0;
        }
        return count;
    }

    /** The maximum number of requests of a key at the same time. */
    int limit() {
        return limit;
    }

    /**
     * Offers the keys with their requests in flight. Reads at most {@value #MAX_READ_CHUNKS} chunks, the cells of about
     * 200,000 keys; the other keys of a larger table are omitted.
     */
    void findBusiest(TopKeys target) {
        int read = 0;
        for (int i = 0; i < chunks.chunkCount() && read < MAX_READ_CHUNKS; i++) {
            long[] cells = chunks.chunkAt(i);
            read += cells == null ? 0 : 1;
            for (int at = 0; cells != null && at < cells.length; at++) {
                long cell = (long) CELLS.getOpaque(cells, at);
                int set = i * ChunkedCells.MAX_CHUNK_SETS + at / WAYS;
                target.offer((cell & KEY) | set, (double) (cell & COUNT));
            }
        }
    }

    /** The number of keys that have requests in flight. */
    int size() {
        int used = 0;
        for (int i = 0; i < chunks.chunkCount(); i++) {
            long[] cells = chunks.chunkAt(i);
            for (int at = 0; cells != null && at < cells.length; at++) {
                used += cell(cells, at) == FREE ? 0 : 1;
            }
        }
        return used;
    }

    /** Decrements a cell; returns false if it does not belong to the key any more. */
    private static boolean decrement(long[] cells, long owner, int at) {
        while (true) {
            long cell = cell(cells, at);
            if (!isOf(cell, owner)) {
                return false;
            }
            long next = (cell & COUNT) == 1 ? FREE : cell - 1;
            if (CELLS.compareAndSet(cells, at, cell, next)) {
                return true;
            }
        }
    }

    private static int find(long[] cells, long owner, int first) {
        for (int at = first; at < first + WAYS; at++) {
            if (isOf(cell(cells, at), owner)) {
                return at;
            }
        }
        return NONE;
    }

    private static int findFree(long[] cells, int first) {
        for (int at = first; at < first + WAYS; at++) {
            if (cell(cells, at) == FREE) {
                return at;
            }
        }
        return NONE;
    }

    private static boolean hasOther(long[] cells, long owner, int first, int made) {
        for (int at = first; at < first + WAYS; at++) {
            if (at != made && isOf(cell(cells, at), owner)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOf(long cell, long owner) {
        return cell != FREE && (cell & KEY) == owner;
    }

    private static long cell(long[] cells, int at) {
        return (long) CELLS.getVolatile(cells, at);
    }
}
