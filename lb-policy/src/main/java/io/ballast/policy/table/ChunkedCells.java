package io.ballast.policy.table;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a table that has sets of equal length. Chunks of sets are allocated when a key needs one, so that a
 * table without keys takes almost no memory, regardless of its maximum size. Cells are zero at first.
 *
 * <p>Thread safety: all methods may be called concurrently; they do not block. Cost: one volatile read for each access to a
 * set, and one allocation for each chunk.
 */
public final class ChunkedCells {

    /** The number of sets of each chunk; a table with fewer sets has one chunk. */
    public static final int MAX_CHUNK_SETS = 64;

    private final AtomicReferenceArray<long @Nullable []> chunks;
    private final int setCells;
    private final int chunkSets;
    private final int setMask;

    /**
     * @param keys the maximum number of keys; the table has at least one entry for each, and at most four
     * @param ways the number of entries of a set
     * @param entryCells the number of cells of an entry
     */
    public ChunkedCells(int keys, int ways, int entryCells) {
        int sets = Math.max(1, Integer.highestOneBit(Math.max(1, 2 * keys / ways - 1)) << 1);
        this.setMask = sets - 1;
        this.setCells = ways * entryCells;
        this.chunkSets = Math.min(sets, MAX_CHUNK_SETS);
        this.chunks = new AtomicReferenceArray<>(sets / chunkSets);
    }

    /** Returns the chunk that contains a hash's set; allocates it for the first use. */
    public long[] chunk(int hash) {
        int index = (hash & setMask) / chunkSets;
        long[] known = chunks.get(index);
        if (known != null) {
            return known;
        }
        long[] made = new long[chunkSets * setCells];
        long[] other = chunks.compareAndExchange(index, null, made);
        return other == null ? made : other;
    }

    /** Like {@link #chunk}; null if it was never used. */
    public long @Nullable [] existingChunk(int hash) {
        return chunks.get((hash & setMask) / chunkSets);
    }

    /** Returns the position of a hash's set in its chunk: the index of the first cell. */
    public int firstCell(int hash) {
        return (hash & setMask) % chunkSets * setCells;
    }

    /** The number of chunks; unused chunks are null. */
    public int chunkCount() {
        return chunks.length();
    }

    /** Returns a chunk by its index; null if it was never used. */
    public long @Nullable [] chunkAt(int index) {
        return chunks.get(index);
    }
}
