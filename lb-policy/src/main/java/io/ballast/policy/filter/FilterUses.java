package io.ballast.policy.filter;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests that use a filter, so that a replaced filter is closed after the last of them. Thread safety: all
 * methods may be called concurrently; they do not block.
 */
final class FilterUses {

    private static final int CLOSED = -1;

    private final Runnable onLast;
    private final AtomicInteger count = new AtomicInteger();
    private volatile boolean closing;

    /** @param onLast called once, after {@link #close}, when no request uses the filter any more */
    FilterUses(Runnable onLast) {
        this.onLast = onLast;
    }

    /** Records that a request begins to use the filter; returns null if the filter is closed. */
    @Nullable Use begin() {
        int before = count.get();
        while (before != CLOSED) {
            if (count.compareAndSet(before, before + 1)) {
                return new Use();
            }
            before = count.get();
        }
        return null;
    }

    /** Closes the filter after the last use; immediately if it is not in use. */
    void close() {
        closing = true;
        closeIfUnused();
    }

    /** Whether the filter is closed, so that no further use can begin. */
    boolean isClosed() {
        return count.get() == CLOSED;
    }

    private void closeIfUnused() {
        if (closing && count.compareAndSet(0, CLOSED)) {
            onLast.run();
        }
    }

    /** The use of the filter by one request. */
    final class Use {

        private final AtomicBoolean ended = new AtomicBoolean();

        /** Records that the request does not use the filter any more. Further calls have no effect. */
        void end() {
            if (ended.compareAndSet(false, true)) {
                count.decrementAndGet();
                closeIfUnused();
            }
        }
    }
}
