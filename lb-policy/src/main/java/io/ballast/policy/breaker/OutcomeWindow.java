package io.ballast.policy.breaker;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the outcomes of requests over a sliding time window, which is divided into {@value #BUCKETS} intervals.
 *
 * <p>Thread safety: all methods may be called concurrently, without locks. A few outcomes may be lost when an interval
 * begins. Cost: one atomic update for each request; allocates nothing except in {@link #counts}.
 */
final class OutcomeWindow {

    static final int BUCKETS = 10;

    private static final int BITS = 21;
    private static final long MAX = (1L << BITS) - 1;
    private static final long REQUEST = 1;
    private static final long FAILURE = 1L << BITS;
    private static final long SLOW = 1L << (2 * BITS);

    private final long start;
    private final long bucketNanos;
    /** For each bucket the number of its interval, then its counts in {@value #BITS} bits each. */
    private final AtomicLongArray buckets = new AtomicLongArray(2 * BUCKETS);

    /**
     * Creates an empty window.
     *
     * @param now the current time in nanoseconds; later calls must not pass an earlier time
     */
    OutcomeWindow(long windowNanos, long now) {
        this.start = now;
        this.bucketNanos = Math.max(1, windowNanos / BUCKETS);
    }

    /**
     * The counts of a window.
     *
     * @param requests the number of requests
     * @param failures how many of them have failed
     * @param slow how many of them were slow
     */
    record Counts(long requests, long failures, long slow) {}

    /** Counts a request, unless its bucket already contains {@value #MAX} requests. */
    void add(RequestOutcome outcome, long now) {
        long part = part(now);
        int bucket = bucket(part);
        long before = buckets.get(bucket);
        if (before < part && buckets.compareAndSet(bucket, before, part)) {
            buckets.set(bucket + 1, 0);
        }
        if ((buckets.get(bucket + 1) & MAX) < MAX) {
            buckets.getAndAdd(bucket + 1, REQUEST + extra(outcome));
        }
    }

    private static long extra(RequestOutcome outcome) {
        return switch (outcome) {
            case FAILURE -> FAILURE;
            case SLOW -> SLOW;
            case SUCCESS, UNKNOWN -> 0;
        };
    }

    /** Returns the counts of the window that ends now. */
    Counts counts(long now) {
        long oldest = part(now) - BUCKETS;
        long requests = 0;
        long failures = 0;
        long slow = 0;
        for (int i = 0; i < 2 * BUCKETS; i += 2) {
            if (buckets.get(i) > oldest) {
                long counts = buckets.get(i + 1);
                requests += counts & MAX;
                failures += (counts >>> BITS) & MAX;
                slow += (counts >>> (2 * BITS)) & MAX;
            }
        }
        return new Counts(requests, failures, slow);
    }

    /** Returns the number of the interval that contains a time, from 1. */
    private long part(long now) {
        return (now - start) / bucketNanos + 1;
    }

    private static int bucket(long part) {
        return (int) (part % BUCKETS) * 2;
    }
}
