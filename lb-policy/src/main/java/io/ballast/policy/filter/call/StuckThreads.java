package io.ballast.policy.filter.call;

import io.ballast.policy.work.PolicyEvents;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the threads of a filter whose call was cut and has not ended, and reports when all of them are held and when one
 * is free again. Thread safety: all methods may be called concurrently; they do not block.
 */
final class StuckThreads {

    private final String subject;
    private final int threads;
    private final PolicyEvents events;
    private final AtomicInteger count = new AtomicInteger();

    StuckThreads(String subject, int threads, PolicyEvents events) {
        this.subject = subject;
        this.threads = threads;
        this.events = events;
    }

    void began() {
        if (count.incrementAndGet() == threads) {
            events.changed(
                    subject,
                    /* isProblem= */ true,
                    "all " + threads + " threads are held by calls that did not end after their deadline; further calls"
                            + " are refused");
        }
    }

    void ended() {
        if (count.decrementAndGet() == threads - 1) {
            events.changed(subject, /* isProblem= */ false, "a thread is free again; calls are accepted");
        }
    }

    /** Whether no thread is left. */
    boolean holdAll() {
        return count.get() >= threads;
    }

    int count() {
        return count.get();
    }
}
