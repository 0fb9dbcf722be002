package io.ballast.policy.cache.store;

import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The store of a cache. Evicts URLs with <a href="https://dl.acm.org/doi/10.1145/3600006.3613147">S3-FIFO</a>: a new
 * URL enters a small queue, and moves to the main queue only if it is used there, so that a scan of many URLs evicts
 * few URLs that are in use. A ghost table remembers the URLs that left the small queue. If such a URL is stored again,
 * it enters the main queue.
 *
 * <p>Thread safety: any thread; no locks but those of {@link ConcurrentHashMap}. A lookup only reads.
 */
public final class ResponseStore {

    /** One URL may take at most this fraction of the memory. */
    private static final int URL_SHARE = 4;
    /** The fraction of the memory that the small queue may take before its entries are evicted first. */
    private static final int SMALL_SHARE = 10;
    /**
     * The maximum number of entries that one call of {@link #take} keeps because they were used. Further entries are
     * evicted even if they were used.
     */
    private static final int MAX_SECOND_CHANCES = 64;

    private static final int GHOSTS = 1 << 14;
    /** The number of counters of removals; a URL uses the counter that its hash selects. */
    private static final int REMOVAL_CELLS = 1 << 10;

    private final MemoryBudget budget;
    private final ConcurrentHashMap<UrlKey, UrlEntry> entries = new ConcurrentHashMap<>();
    private final Queue<UrlEntry> small = new ConcurrentLinkedQueue<>();
    private final Queue<UrlEntry> main = new ConcurrentLinkedQueue<>();
    private final AtomicInteger smallCount = new AtomicInteger();
    private final AtomicInteger mainCount = new AtomicInteger();
    private final AtomicLongArray ghosts = new AtomicLongArray(GHOSTS);
    private final AtomicLongArray removals = new AtomicLongArray(REMOVAL_CELLS);
    private final AtomicLong purges = new AtomicLong();
    private final LongAdder evictions = new LongAdder();
    private final LongAdder responses = new LongAdder();

    public ResponseStore(long maxBytes) {
        this.budget = new MemoryBudget(maxBytes);
    }

    MemoryBudget budget() {
        return budget;
    }

    /** Returns the entry of a URL; null if there is none. */
    public @Nullable UrlEntry find(UrlKey key) {
        return entries.get(key);
    }

    /**
     * Takes the memory of a body of known length, and starts to receive it.
     *
     * @param bytes the length, at least 1
     * @return null if there is no memory
     */
    public @Nullable GrowingBody receive(long bytes) {
        return take(bytes) ? new GrowingBody(budget, bytes) : null;
    }

    /** Starts to record a body of unknown length; see {@link BodyRecording}. */
    public BodyRecording record(long expectedBytes, long maxBytes) {
        return new BodyRecording(this, expectedBytes, maxBytes);
    }

    /**
     * Returns a number that changes when responses for a URL are removed. A response must not be stored if this number
     * has changed since its request was sent.
     */
    public long removalCount(UrlKey key) {
        return removals.get(removalCell(key)) + purges.get();
    }

    private static int removalCell(UrlKey key) {
        return key.hashCode() & (REMOVAL_CELLS - 1);
    }

    /**
     * Stores a response. Takes ownership of a reference to it.
     *
     * @param removalCount the {@link #removalCount} before the request was sent
     * @return false if responses for the URL were removed since then, or there is no memory
     */
    public boolean put(UrlKey key, Variant variant, long removalCount) {
        if (!take(variant.ownBytes())) {
            variant.response().release();
            return false;
        }
        while (removalCount == removalCount(key)) {
            UrlEntry entry = findOrCreate(key);
            if (entry == null) {
                break;
            }
            int dropped = entry.add(variant, budget.limitBytes() / URL_SHARE);
            if (dropped != UrlEntry.CLOSED) {
                responses.add(1 - dropped);
                if (removalCount != removalCount(key)) {
                    remove(key); // a concurrent removal may have missed the new response
                }
                return true;
            }
        }
        variant.release(budget);
        return false;
    }

    /** Remembers that responses for a URL are not cacheable; see {@link UrlEntry#isUncacheable}. */
    public void setUncacheable(UrlKey key, long untilNanos) {
        UrlEntry entry = findOrCreate(key);
        if (entry != null) {
            entry.setUncacheable(untilNanos);
        }
    }

    private @Nullable UrlEntry findOrCreate(UrlKey key) {
        UrlEntry known = entries.get(key);
        if (known != null && !known.isClosed()) {
            return known;
        }
        UrlEntry created = new UrlEntry(key, budget);
        if (!take(created.ownBytes())) {
            return null;
        }
        UrlEntry other = entries.putIfAbsent(key, created);
        if (other != null) {
            budget.give(created.ownBytes());
            return other;
        }
        if (takeGhost(key)) {
            addToMain(created);
        } else {
            smallCount.incrementAndGet();
            small.add(created);
        }
        return created;
    }

    private void addToMain(UrlEntry entry) {
        mainCount.incrementAndGet();
        main.add(entry);
    }

    private boolean takeGhost(UrlKey key) {
        int cell = key.hashCode() & (GHOSTS - 1);
        return ghosts.compareAndSet(cell, ghost(key), 0);
    }

    /** Returns the value of a ghost cell for a key; never 0, which marks an empty cell. */
    private static long ghost(UrlKey key) {
        return (1L << 32) | Integer.toUnsignedLong(key.hashCode());
    }

    // ---- memory

    /** Takes memory, and evicts responses if necessary; returns false if there is not enough. */
    boolean take(long bytes) {
        if (bytes > budget.limitBytes()) {
            return false;
        }
        int chances = MAX_SECOND_CHANCES;
        while (!budget.tryTake(bytes)) {
            boolean smallFirst = smallCount.get() * SMALL_SHARE >= mainCount.get() + smallCount.get();
            boolean fromSmall = smallFirst ? !small.isEmpty() : main.isEmpty();
            UrlEntry entry = fromSmall ? pollSmall() : pollMain();
            if (entry == null) {
                return false;
            }
            if (chances > 0 && entry.takeUse()) {
                chances--;
                addToMain(entry);
            } else {
                evict(entry, fromSmall);
            }
        }
        return true;
    }

    private @Nullable UrlEntry pollSmall() {
        UrlEntry entry = small.poll();
        if (entry != null) {
            smallCount.decrementAndGet();
        }
        return entry;
    }

    private @Nullable UrlEntry pollMain() {
        UrlEntry entry = main.poll();
        if (entry != null) {
            mainCount.decrementAndGet();
        }
        return entry;
    }

    private void evict(UrlEntry entry, boolean fromSmall) {
        entries.remove(entry.key(), entry);
        int removed = entry.close();
        evictions.add(removed);
        responses.add(-removed);
        budget.give(entry.ownBytes());
        if (fromSmall) {
            ghosts.set(entry.key().hashCode() & (GHOSTS - 1), ghost(entry.key()));
        }
    }

    // ---- removal

    /** Removes all responses for a URL, because it was changed; returns their number. */
    public int remove(UrlKey key) {
        removals.incrementAndGet(removalCell(key));
        UrlEntry entry = entries.get(key);
        int removed = entry == null ? 0 : entry.removeIf(variant -> true);
        responses.add(-removed);
        return removed;
    }

    /**
     * Removes the responses that match a condition on the URL and the response; returns their number. Cost: reads all
     * entries.
     */
    public int removeIf(BiPredicate<String, Variant> condition) {
        purges.incrementAndGet();
        int removed = 0;
        for (UrlEntry entry : entries.values()) {
            String url = entry.key().toString();
            removed += entry.removeIf(variant -> condition.test(url, variant));
        }
        responses.add(-removed);
        return removed;
    }

    // ---- statistics

    /** The number of stored responses. */
    public long responses() {
        return responses.sum();
    }

    /** The memory in use in bytes, estimated, with responses that are being recorded or sent. */
    public long usedBytes() {
        return budget.usedBytes();
    }

    /** The number of evicted responses since the start. */
    public long evictions() {
        return evictions.sum();
    }
}
