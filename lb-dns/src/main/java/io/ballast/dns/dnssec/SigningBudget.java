package io.ballast.dns.dnssec;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How much time a thread may still spend on signatures: so much each second, and no more than a second's worth saved up.
 * A signature may overdraw it; the next one then waits until that is paid back.
 *
 * <p>Thread safety: confined to one thread. Cost: a few additions.
 */
final class SigningBudget {

    private static final long SECOND = 1_000_000_000L;

    private final long perSecond;
    private final LongSupplier nanoTime;
    private long left;
    private long filledAt;

    /**
     * @param perSecond at most a second
     * @param nanoTime as {@link System#nanoTime}
     */
    SigningBudget(Duration perSecond, LongSupplier nanoTime) {
        this.perSecond = Math.min(perSecond.toNanos(), SECOND);
        this.nanoTime = nanoTime;
        this.left = this.perSecond;
        this.filledAt = nanoTime.getAsLong();
    }

    /** Whether a signature may begin. */
    boolean allows() {
        long now = nanoTime.getAsLong();
        long passed = Math.min(now - filledAt, 2 * SECOND);
        // Both factors are below 2^31, so their product is exact.
        left = Math.min(perSecond, left + passed * (perSecond / 1000) / (SECOND / 1000));
        filledAt = now;
        return left > 0;
    }

    /** Takes off what was spent since {@link #allows}. */
    void spent() {
        left -= Math.max(0, nanoTime.getAsLong() - filledAt);
    }
}
