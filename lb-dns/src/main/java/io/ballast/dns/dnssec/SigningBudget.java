package io.ballast.dns.dnssec;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Limits a thread's time for signatures with a token bucket. The capacity of the bucket is the refill of one
 * second. A signature may overdraw the bucket; later signatures must wait until the deficit is refilled.
 *
 * <p>Thread safety: confined to one thread. Cost: a few additions.
 */
final class SigningBudget {

    private static final long SECOND = 1_000_000_000L;

    private final long perSecond;
    private final LongSupplier nanoTime;
    private long remainingNanos;
    private long filledAt;

    /**
     * @param perSecond maximum signing time in each second; values above one second count as one second
     * @param nanoTime monotonic clock like {@link System#nanoTime}
     */
    SigningBudget(Duration perSecond, LongSupplier nanoTime) {
        this.perSecond = Math.min(perSecond.toNanos(), SECOND);
        this.nanoTime = nanoTime;
        this.remainingNanos = this.perSecond;
        this.filledAt = nanoTime.getAsLong();
    }

    /** Returns whether the budget permits another signature. */
    boolean hasRemaining() {
        long now = nanoTime.getAsLong();
        long passed = Math.min(now - filledAt, 2 * SECOND);
        // Both factors are below 2^31, so their product is exact.
        remainingNanos = Math.min(perSecond, remainingNanos + passed * (perSecond / 1000) / (SECOND / 1000));
        filledAt = now;
        return remainingNanos > 0;
    }

    /** Deducts the time that has elapsed since {@link #hasRemaining}. */
    void deductElapsed() {
        remainingNanos -= Math.max(0, nanoTime.getAsLong() - filledAt);
    }
}
