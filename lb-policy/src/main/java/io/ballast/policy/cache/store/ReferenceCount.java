package io.ballast.policy.cache.store;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the references to an object, starting with one. Thread safety: any thread may call all methods. */
final class ReferenceCount {

    private final AtomicInteger count = new AtomicInteger(1);

    /** Adds a reference; returns false if none was left, so that the object must not be used. */
    boolean retain() {
        int before = count.get();
        while (before > 0) {
            if (count.compareAndSet(before, before + 1)) {
                return true;
            }
            before = count.get();
        }
        return false;
    }

    /** Whether there is more than one reference. */
    boolean isShared() {
        return count.get() > 1;
    }

    /** Removes a reference; returns true if it was the last one. */
    boolean release() {
        return count.decrementAndGet() == 0;
    }
}
