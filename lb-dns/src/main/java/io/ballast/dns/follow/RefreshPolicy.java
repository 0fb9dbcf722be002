package io.ballast.dns.follow;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * The intervals between lookups of a name, and the maximum age of its addresses.
 *
 * @param min minimum interval between two lookups
 * @param max maximum interval between an answer and the next lookup
 * @param maxRetry maximum interval between retries; they start at {@code min} and double
 * @param stale how long addresses are served stale while no resolver answers (<a
 *     href="https://datatracker.ietf.org/doc/html/rfc8767#section-5">RFC 8767 section 5</a>)
 */
record RefreshPolicy(Duration min, Duration max, Duration maxRetry, Duration stale) {

    static final RefreshPolicy DEFAULT = new RefreshPolicy(
            /* min= */ Duration.ofSeconds(5),
            /* max= */ Duration.ofMinutes(5),
            /* maxRetry= */ Duration.ofMinutes(1),
            /* stale= */ Duration.ofDays(1));

    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final int MAX_DOUBLINGS = 20;

    RefreshPolicy {
        Checks.positive(min, "min");
        Checks.that(max.compareTo(min) >= 0, "max", max, "at least " + min);
        Checks.that(maxRetry.compareTo(min) >= 0, "maxRetry", maxRetry, "at least " + min);
    }

    /** The interval from an answer to the next lookup: half of its TTL, within bounds. */
    long refreshAfterNanos(int ttlSeconds) {
        return bound(ttlSeconds * NANOS_PER_SECOND / 2);
    }

    /**
     * The interval between the first answer that a name does not exist and the lookup that confirms it: the whole
     * TTL of that answer, within bounds. After this time, no cache can repeat the answer.
     */
    long confirmAfterNanos(int ttlSeconds) {
        return bound((ttlSeconds + 1L) * NANOS_PER_SECOND);
    }

    private long bound(long nanos) {
        return Math.min(Math.max(nanos, min.toNanos()), max.toNanos());
    }

    /**
     * The TTL for clients: half of the answer's TTL, or the part of the TTL that remains at the next lookup if
     * that is less; at least 1 s.
     */
    int clientTtlSeconds(int ttlSeconds) {
        long left = ttlSeconds - (refreshAfterNanos(ttlSeconds) + NANOS_PER_SECOND - 1) / NANOS_PER_SECOND;
        return (int) Math.max(Math.min(ttlSeconds / 2, left), 1);
    }

    /** The interval from a failure to the next lookup. */
    long retryAfterNanos(int failures) {
        long doubled = min.toNanos() << Math.min(failures - 1, MAX_DOUBLINGS);
        return Math.min(doubled, maxRetry.toNanos());
    }
}
