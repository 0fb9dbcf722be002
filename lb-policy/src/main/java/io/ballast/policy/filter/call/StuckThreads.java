package io.ballast.policy.filter.call;

import io.ballast.policy.work.PolicyEvents;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Counts the threads of a filter whose calls were interrupted and have not ended. A filter is stuck if this applies to
 * all of its threads for {@value #GRACE_MILLIS} ms, because an interrupted call needs some time to end. Reports when a
 * filter becomes stuck and when a thread is free again. Thread safety: all methods may be called concurrently; they do
 * not block.
 */
final class StuckThreads {

    static final long GRACE_MILLIS = 1_000;

    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(GRACE_MILLIS);

    private final String subject;
    private final int threads;
    private final PolicyEvents events;
    private final LongSupplier nanoTime;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicBoolean reported = new AtomicBoolean();
    /** The time at which a call blocked a thread most recently. */
    private volatile long heldSince;

    StuckThreads(String subject, int threads, PolicyEvents events, LongSupplier nanoTime) {
        this.subject = subject;
        this.threads = threads;
        this.events = events;
        this.nanoTime = nanoTime;
    }

    void began() {
        heldSince = nanoTime.getAsLong(); // set before the count, so that no reader finds an older time
        count.incrementAndGet();
    }

    void ended() {
        count.decrementAndGet();
        reportIfFree();
    }

    /** Whether the filter is stuck, so that further calls must be refused. */
    boolean isStuck() {
        if (count.get() < threads) {
            reportIfFree();
            return false;
        }
        if (nanoTime.getAsLong() - heldSince < GRACE_NANOS) {
            return false;
        }
        if (reported.compareAndSet(false, true)) {
            events.changed(
                    subject,
                    /* isProblem= */ true,
                    "all " + threads + " threads are held by calls that did not end after their deadline; further calls"
                            + " are refused");
        }
        return true;
    }

    private void reportIfFree() {
        if (count.get() < threads && reported.compareAndSet(true, false)) {
            events.changed(subject, /* isProblem= */ false, "a thread is free again; calls are accepted");
        }
    }

    int count() {
        return count.get();
    }
}
