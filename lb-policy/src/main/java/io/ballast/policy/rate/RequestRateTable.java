package io.ballast.policy.rate;

import io.ballast.policy.share.SharedLimit.RequestVisitor;
import io.ballast.policy.table.ChunkedCells;
import io.ballast.policy.table.TopKeys;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts requests by key with the generic cell rate algorithm. For each key and rate, it holds the theoretical arrival
 * time of the next request.
 *
 * <p>The table has sets of {@value #WAYS} entries; the key selects the set. A new key replaces a key that has no
 * counted requests left, because its entry has no effect any more. If a set has no such entry, the key is not added.
 * Memory: two to four entries for each key of the maximum, allocated in chunks as keys arrive.
 *
 * <p>Thread safety: all methods may be called concurrently; they do not block. A request that is charged while another
 * thread replaces its key is charged to the new key. Cost: one pass over a set and one atomic update per rate;
 * allocates nothing but chunks.
 */
final class RequestRateTable {

    /** The result of a request that conforms to all rates. */
    static final long CONFORMS = 0;

    private static final int WAYS = 16;
    private static final int MAX_READ_CHUNKS = 512;
    private static final long EMPTY = 0;
    private static final int NO_PLACE = -1;
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    private final RateWindow[] windows;
    private final boolean allowsWhenFull;
    private final long start;
    private final int stride;
    /** Layout of an entry: the key, the theoretical arrival time of each rate, and the requests if they are counted. */
    private final ChunkedCells chunks;

    /**
     * @param keys the maximum number of keys
     * @param allowsWhenFull whether a request conforms if its key cannot be added
     * @param now the current time in nanoseconds; later calls must not pass an earlier time
     */
    RequestRateTable(List<RateWindow> rates, int keys, boolean allowsWhenFull, long now) {
        this(rates, keys, allowsWhenFull, now, /* countsRequests= */ false);
    }

    /** @param countsRequests whether {@link #chargeShare} counts requests for {@link #takeRequests} */
    RequestRateTable(List<RateWindow> rates, int keys, boolean allowsWhenFull, long now, boolean countsRequests) {
        this.windows = rates.toArray(RateWindow[]::new);
        this.allowsWhenFull = allowsWhenFull;
        this.start = now;
        this.stride = 1 + windows.length + (countsRequests ? 1 : 0);
        this.chunks = new ChunkedCells(keys, WAYS, stride);
    }

    /** Like {@link #charge(long, long, long)} without a delay. */
    long charge(long key, long nanos) {
        return charge(key, nanos, /* maxDelay= */ 0);
    }

    /**
     * Charges a request to all rates, or to none if it does not conform to one of them within the delay.
     *
     * @param maxDelay how long the request may wait, in nanoseconds
     * @return the nanoseconds until the request conforms. The request is charged if they are not more than the delay
     */
    long charge(long key, long nanos, long maxDelay) {
        long now = nanos - start;
        long[] cells = chunks.chunk(hash(key));
        int entry = entry(cells, key, now);
        if (entry == NO_PLACE) {
            return allowsWhenFull ? CONFORMS : Math.max(windows[0].increment(), maxDelay + 1);
        }
        long longest = CONFORMS;
        for (int i = 0; i < windows.length; i++) {
            long wait = charge(cells, entry + 1 + i, windows[i], now, maxDelay);
            if (wait > maxDelay) {
                refund(cells, entry, i);
                return wait;
            }
            longest = Math.max(longest, wait);
        }
        return longest;
    }

    /** Refunds one request. Has no effect if another key has replaced this one meanwhile. */
    void refund(long key) {
        long[] cells = chunks.existingChunk(hash(key));
        int entry = find(cells, key);
        if (cells != null && entry != NO_PLACE) {
            refund(cells, entry, windows.length);
        }
    }

    /** Whether requests of a key are counted. */
    boolean contains(long key) {
        return find(chunks.existingChunk(hash(key)), key) != NO_PLACE;
    }

    /** The time until all requests of a key are forgotten for one rate, in nanoseconds; 0 for an unknown key. */
    long backlog(long key, int window, long nanos) {
        long[] cells = chunks.existingChunk(hash(key));
        int entry = find(cells, key);
        long arrival = cells == null || entry == NO_PLACE ? 0 : (long) CELLS.getVolatile(cells, entry + 1 + window);
        return Math.max(0, arrival - (nanos - start));
    }

    /** Like {@link #charge}, but charges nothing. */
    long check(long key, long nanos) {
        long now = nanos - start;
        long[] cells = chunks.existingChunk(hash(key));
        int entry = find(cells, key);
        if (cells == null || entry == NO_PLACE) {
            return CONFORMS;
        }
        long longest = CONFORMS;
        for (int i = 0; i < windows.length; i++) {
            long arrival = Math.max((long) CELLS.getVolatile(cells, entry + 1 + i), now);
            longest = Math.max(longest, wait(windows[i], arrival, now));
        }
        return longest;
    }

    private static long charge(long[] cells, int cell, RateWindow window, long now, long maxDelay) {
        while (true) {
            long before = (long) CELLS.getVolatile(cells, cell);
            long arrival = Math.max(before, now);
            long wait = wait(window, arrival, now);
            if (wait > maxDelay || CELLS.compareAndSet(cells, cell, before, arrival + window.increment())) {
                return wait;
            }
        }
    }

    private static long wait(RateWindow window, long arrival, long now) {
        return Math.max(CONFORMS, arrival + window.increment() - window.tolerance() - now);
    }

    private void refund(long[] cells, int entry, int charged) {
        for (int i = 0; i < charged; i++) {
            CELLS.getAndAdd(cells, entry + 1 + i, -windows[i].increment());
        }
    }

    // ---- limits that several processes share

    /**
     * Like {@link #charge(long, long, long)}, but each request costs {@code cost} times as much. A key without backlog
     * may always send one request. Counts the request. The table must have been created with {@code countsRequests}.
     *
     * @param cost at least 1
     */
    long chargeShare(long key, long nanos, long maxDelay, double cost) {
        long now = nanos - start;
        long[] cells = chunks.chunk(hash(key));
        int entry = entry(cells, key, now);
        if (entry == NO_PLACE) {
            return allowsWhenFull ? CONFORMS : Math.max(windows[0].increment(), maxDelay + 1);
        }
        CELLS.getAndAdd(cells, entry + stride - 1, 1L);
        long longest = CONFORMS;
        for (int i = 0; i < windows.length; i++) {
            long increment = (long) (windows[i].increment() * cost);
            long tolerance = Math.max(windows[i].tolerance(), increment);
            long wait = chargeShare(cells, entry + 1 + i, increment, tolerance, now, maxDelay);
            if (wait > maxDelay) {
                refundShare(cells, entry, i, cost);
                return wait;
            }
            longest = Math.max(longest, wait);
        }
        return longest;
    }

    private static long chargeShare(long[] cells, int cell, long increment, long tolerance, long now, long maxDelay) {
        while (true) {
            long before = (long) CELLS.getVolatile(cells, cell);
            long arrival = Math.max(before, now);
            long wait = Math.max(CONFORMS, arrival + increment - tolerance - now);
            if (wait > maxDelay || CELLS.compareAndSet(cells, cell, before, arrival + increment)) {
                return wait;
            }
        }
    }

    /**
     * Refunds a request that {@link #chargeShare} charged. Has no effect if another key has replaced this one
     * meanwhile.
     */
    void refundShare(long key, double cost) {
        long[] cells = chunks.existingChunk(hash(key));
        int entry = find(cells, key);
        if (cells != null && entry != NO_PLACE) {
            refundShare(cells, entry, windows.length, cost);
        }
    }

    private void refundShare(long[] cells, int entry, int charged, double cost) {
        for (int i = 0; i < charged; i++) {
            CELLS.getAndAdd(cells, entry + 1 + i, -(long) (windows[i].increment() * cost));
        }
    }

    /** Changes the backlog of a key for one rate. Has no effect if the table has no place for the key. */
    void changeBacklog(long key, int window, long difference, long nanos) {
        long now = nanos - start;
        long[] cells = chunks.chunk(hash(key));
        int entry = entry(cells, key, now);
        if (entry == NO_PLACE) {
            return;
        }
        int cell = entry + 1 + window;
        while (true) {
            long before = (long) CELLS.getVolatile(cells, cell);
            if (CELLS.compareAndSet(cells, cell, before, Math.max(before, now) + difference)) {
                return;
            }
        }
    }

    /** Reports the requests of each key since the last call. Reads the whole table. */
    void takeRequests(RequestVisitor visitor) {
        for (int i = 0; i < chunks.chunkCount(); i++) {
            long[] cells = chunks.chunkAt(i);
            for (int at = 0; cells != null && at < cells.length; at += stride) {
                if (cells[at + stride - 1] != 0) {
                    long key = (long) CELLS.getVolatile(cells, at);
                    long count = (long) CELLS.getAndSet(cells, at + stride - 1, 0L);
                    if (key != EMPTY && count > 0) {
                        visitor.requests(key, count);
                    }
                }
            }
        }
    }

    /**
     * Offers the keys with the part of the limit that they use. Reads at most {@value #MAX_READ_CHUNKS} chunks, the
     * entries of about 200,000 keys; the other keys of a larger table are omitted.
     */
    void findBusiest(TopKeys target, long nanos) {
        long now = nanos - start;
        int read = 0;
        for (int i = 0; i < chunks.chunkCount() && read < MAX_READ_CHUNKS; i++) {
            long[] cells = chunks.chunkAt(i);
            if (cells == null) {
                continue;
            }
            read++;
            for (int at = 0; at < cells.length; at += stride) {
                long key = (long) CELLS.getOpaque(cells, at);
                if (key != EMPTY) {
                    target.offer(key, usedPart(cells, at, now));
                }
            }
        }
    }

    /** The part of its burst that a key uses, for the rate with the highest part. */
    private double usedPart(long[] cells, int entry, long now) {
        double highest = 0;
        for (int i = 0; i < windows.length; i++) {
            double backlog = (long) CELLS.getOpaque(cells, entry + 1 + i) - now;
            highest = Math.max(highest, backlog / windows[i].tolerance());
        }
        return highest;
    }

    // ---- entries

    /** Finds the entry of a key, or creates it. */
    private int entry(long[] cells, long key, long now) {
        while (true) {
            int first = chunks.firstCell(hash(key));
            int free = NO_PLACE;
            long replaced = EMPTY;
            for (int at = first; at < first + WAYS * stride; at += stride) {
                long found = (long) CELLS.getVolatile(cells, at);
                if (found == key) {
                    return at;
                }
                if (free == NO_PLACE && (found == EMPTY || hasRecovered(cells, at, now))) {
                    free = at;
                    replaced = found;
                }
            }
            if (free == NO_PLACE) {
                return NO_PLACE;
            }
            if (CELLS.compareAndSet(cells, free, replaced, key)) {
                return withoutDuplicate(cells, key, first, free);
            }
        }
    }

    private int find(long @Nullable [] cells, long key) {
        if (cells == null) {
            return NO_PLACE;
        }
        int first = chunks.firstCell(hash(key));
        for (int at = first; at < first + WAYS * stride; at += stride) {
            if ((long) CELLS.getVolatile(cells, at) == key) {
                return at;
            }
        }
        return NO_PLACE;
    }

    /** If another thread has made an earlier entry for the same key at the same time, removes the new entry. */
    private int withoutDuplicate(long[] cells, long key, int first, int made) {
        for (int at = first; at < made; at += stride) {
            if ((long) CELLS.getVolatile(cells, at) == key) {
                CELLS.compareAndSet(cells, made, key, EMPTY);
                return at;
            }
        }
        return made;
    }

    private boolean hasRecovered(long[] cells, int entry, long now) {
        for (int i = 1; i <= windows.length; i++) {
            if ((long) CELLS.getVolatile(cells, entry + i) > now) {
                return false;
            }
        }
        return true;
    }

    private static int hash(long key) {
        return (int) (key >>> 32);
    }
}
