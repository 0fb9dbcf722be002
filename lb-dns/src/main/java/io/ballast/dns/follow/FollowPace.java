package io.ballast.dns.follow;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * When names are asked for again, and for how long they are believed.
 *
 * @param least between two questions about the same
 * @param most between an answer and the next question
 * @param mostRetry between two questions that failed; they begin with {@code least} and double
 * @param stale how long what was true is given out while nobody answers (<a
 *     href="https://datatracker.ietf.org/doc/html/rfc8767#section-5">RFC 8767 section 5</a>)
 */
record FollowPace(Duration least, Duration most, Duration mostRetry, Duration stale) {

    static final FollowPace DEFAULT = new FollowPace(
            /* least= */ Duration.ofSeconds(5),
            /* most= */ Duration.ofMinutes(5),
            /* mostRetry= */ Duration.ofMinutes(1),
            /* stale= */ Duration.ofDays(1));

    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final int MOST_DOUBLINGS = 20;

    FollowPace {
        Checks.positive(least, "least");
        Checks.that(most.compareTo(least) >= 0, "most", most, "at least " + least);
        Checks.that(mostRetry.compareTo(least) >= 0, "mostRetry", mostRetry, "at least " + least);
    }

    /** From an answer to the next question: half of its TTL, within bounds. */
    long askAfterNanos(int ttlSeconds) {
        return bound(ttlSeconds * NANOS_PER_SECOND / 2);
    }

    /** From a denial that is not believed to the next question: all of its TTL, so that no cache repeats it, within bounds. */
    long confirmAfterNanos(int ttlSeconds) {
        return bound((ttlSeconds + 1L) * NANOS_PER_SECOND);
    }

    private long bound(long nanos) {
        return Math.min(Math.max(nanos, least.toNanos()), most.toNanos());
    }

    /**
     * For how long clients may hold an answer: the other half of its TTL, or what the next question leaves of it; at least 1 s.
     */
    int givenSeconds(int ttlSeconds) {
        long left = ttlSeconds - (askAfterNanos(ttlSeconds) + NANOS_PER_SECOND - 1) / NANOS_PER_SECOND;
        return (int) Math.max(Math.min(ttlSeconds / 2, left), 1);
    }

    /** From a failure to the next question. */
    long retryAfterNanos(int failures) {
        long doubled = least.toNanos() << Math.min(failures - 1, MOST_DOUBLINGS);
        return Math.min(doubled, mostRetry.toNanos());
    }
}
