package io.ballast.policy.cache.store;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes of all responses that are stored, being recorded, or still being sent after their removal. Thread
 * safety: any thread.
 */
public final class MemoryBudget {

    private final long limitBytes;
    private final AtomicLong used = new AtomicLong();

    MemoryBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Takes bytes from the budget; returns false if the limit would be exceeded. */
    boolean tryTake(long bytes) {
        long before = used.get();
        while (before + bytes <= limitBytes) {
            if (used.compareAndSet(before, before + bytes)) {
                return true;
            }
            before = used.get();
        }
        return false;
    }

    /** Returns bytes to the budget. */
    void give(long bytes) {
        used.addAndGet(-bytes);
    }

    /** The bytes in use. */
    public long usedBytes() {
        return used.get();
    }

    long limitBytes() {
        return limitBytes;
    }
}
