package io.ballast.dns.follow;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * The intervals between lookups of a name, and the maximum age of its addresses.
 *
 * @param least minimum interval between two lookups
 * @param most maximum interval between an answer and the next lookup
 * @param mostRetry maximum interval between retries; they start at {@code least} and double
 * @param stale how long addresses are served stale while no resolver answers (<a
 *     href="https://datatracker.ietf.org/doc/html/rfc8767#section-5">RFC 8767 section 5</a>)
 */
record RefreshPolicy(Duration least, Duration most, Duration mostRetry, Duration stale) {

    static final RefreshPolicy DEFAULT = new RefreshPolicy(
            /* least= */ Duration.ofSeconds(5),
            /* most= */ Duration.ofMinutes(5),
            /* mostRetry= */ Duration.ofMinutes(1),
            /* stale= */ Duration.ofDays(1));

    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final int MOST_DOUBLINGS = 20;

    RefreshPolicy {
        Checks.positive(least, "least");
        Checks.that(most.compareTo(least) >= 0, "most", most, "at least " + least);
        Checks.that(mostRetry.compareTo(least) >= 0, "mostRetry", mostRetry, "at least " + least);
    }

    /** The interval from an answer to the next lookup: half of its TTL, within bounds. */
    long askAfterNanos(int ttlSeconds) {
        return bound(ttlSeconds * NANOS_PER_SECOND / 2);
    }

    /**
     * The interval from a first denial to its confirmation: its whole TTL, so that no cache repeats it, within bounds.
     */
    long confirmAfterNanos(int ttlSeconds) {
        return bound((ttlSeconds + 1L) * NANOS_PER_SECOND);
    }

    private long bound(long nanos) {
        return Math.min(Math.max(nanos, least.toNanos()), most.toNanos());
    }

    /**
     * The TTL for clients: half of the answer's TTL, or the time left after the next lookup if that is less; at least 1
     * s.
     */
    int givenSeconds(int ttlSeconds) {
        long left = ttlSeconds - (askAfterNanos(ttlSeconds) + NANOS_PER_SECOND - 1) / NANOS_PER_SECOND;
        return (int) Math.max(Math.min(ttlSeconds / 2, left), 1);
    }

    /** The interval from a failure to the next lookup. */
    long retryAfterNanos(int failures) {
        long doubled = least.toNanos() << Math.min(failures - 1, MOST_DOUBLINGS);
        return Math.min(doubled, mostRetry.toNanos());
    }
}
