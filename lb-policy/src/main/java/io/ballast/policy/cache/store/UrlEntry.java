package io.ballast.policy.cache.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The stored responses for one URL, the latest first. An entry has at most {@value #MAX_VARIANTS} responses, so that a
 * client cannot fill the store with variants of one URL. Thread safety: any thread.
 */
public final class UrlEntry {

    /** The maximum number of responses for one URL. */
    static final int MAX_VARIANTS = 32;

    /** The result of {@link #add} if the entry was removed. */
    static final int CLOSED = -1;

    private static final int MAX_USES = 3;
    /** The estimated memory of an entry in the store, besides its key. */
    private static final int OBJECT_BYTES = 250;

    /** The state of an entry that was removed from the store; compared by identity. */
    private static final List<Variant> REMOVED = new ArrayList<>();

    private static final VarHandle VARIANTS;

    static {
        try {
            VARIANTS = MethodHandles.lookup().findVarHandle(UrlEntry.class, "variants", List.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final UrlKey key;
    private final MemoryBudget budget;
    private volatile List<Variant> variants = List.of();
    private volatile int uses;
    private volatile long uncacheableUntilNanos;
    private volatile boolean isUncacheable;

    /** @param budget gets back the memory of removed responses */
    UrlEntry(UrlKey key, MemoryBudget budget) {
        this.key = key;
        this.budget = budget;
    }

    UrlKey key() {
        return key;
    }

    /** The estimated memory of the entry itself. */
    long ownBytes() {
        return (long) OBJECT_BYTES + key.length();
    }

    /** The current responses, the latest first; unmodifiable. */
    public List<Variant> variants() {
        return variants;
    }

    /** Records a use, for eviction. Writes only the first few times, because all event loops share the entry. */
    public void use() {
        int before = uses;
        if (before < MAX_USES) {
            uses = before + 1; // a lost update does not matter
        }
    }

    /** Subtracts one from the number of counted uses; returns false if the number is already 0. */
    boolean takeUse() {
        int before = uses;
        if (before == 0) {
            return false;
        }
        uses = before - 1;
        return true;
    }

    /** Whether the last response was not cacheable, so that requests must not wait for each other. */
    public boolean isUncacheable(long now) {
        return isUncacheable && now - uncacheableUntilNanos < 0;
    }

    void setUncacheable(long untilNanos) {
        uncacheableUntilNanos = untilNanos;
        isUncacheable = true;
    }

    /**
     * Adds a response, which replaces the response for the same requests. Takes ownership of a reference to it, and of the
     * memory of the variant.
     *
     * @param maxBytes the maximum memory of all responses together; the oldest are removed
     * @return the number of removed responses; {@link #CLOSED} if the entry was removed, so that the response is not added
     */
    int add(Variant added, long maxBytes) {
        while (true) {
            List<Variant> before = variants;
            if (before == REMOVED) {
                return CLOSED;
            }
            List<Variant> kept = new ArrayList<>(before.size() + 1);
            List<Variant> dropped = new ArrayList<>(1);
            kept.add(added);
            long bytes = added.memoryBytes();
            for (Variant variant : before) {
                bytes += variant.memoryBytes();
                boolean stays = !variant.isReplacedBy(added) && kept.size() < MAX_VARIANTS && bytes <= maxBytes;
                (stays ? kept : dropped).add(variant);
            }
            if (VARIANTS.compareAndSet(this, before, List.copyOf(kept))) {
                isUncacheable = false;
                dropped.forEach(variant -> variant.release(budget));
                return dropped.size();
            }
        }
    }

    /** Removes the responses that match; returns their number. */
    int removeIf(Predicate<Variant> condition) {
        while (true) {
            List<Variant> before = variants;
            List<Variant> kept = before.stream().filter(condition.negate()).toList();
            if (before == REMOVED || kept.size() == before.size()) {
                return 0;
            }
            if (VARIANTS.compareAndSet(this, before, kept)) {
                List<Variant> removed = before.stream().filter(condition).toList();
                removed.forEach(variant -> variant.release(budget));
                return removed.size();
            }
        }
    }

    /** Removes all responses permanently; returns their number. */
    int close() {
        List<Variant> before = replaceAll();
        before.forEach(variant -> variant.release(budget));
        return before.size();
    }

    private List<Variant> replaceAll() {
        while (true) {
            List<Variant> before = variants;
            if (VARIANTS.compareAndSet(this, before, REMOVED)) {
                return before;
            }
        }
    }

    boolean isClosed() {
        return variants == REMOVED;
    }
}
