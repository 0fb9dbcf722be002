package io.ballast.acme.schedule;

import io.ballast.acme.state.FailureState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The delay after failed orders: 5 minutes, doubled with each further failure, at most 12 hours, and up to a fifth longer
 * at random. Let's Encrypt allows five failed validations of a name in an hour. Stateless.
 */
final class RetryDelay {

    private static final Duration FIRST = Duration.ofMinutes(5);
    private static final Duration LONGEST = Duration.ofHours(12);
    private static final int MAX_DOUBLINGS = 10;
    private static final double JITTER = 0.2;

    /** The longest delay that a CA can demand. */
    private static final Duration MAX_RETRY_AFTER = Duration.ofDays(7);

    private RetryDelay() {}

    /**
     * Returns the state after one more failure.
     *
     * @param retryAfter the time before which the CA accepts no order, if it said so
     * @param random from 0 to 1
     */
    static FailureState next(FailureState before, Instant now, Optional<Instant> retryAfter, double random) {
        int count = before.count() + 1;
        Instant retryAt = now.plus(after(count, random));
        Instant latest = now.plus(MAX_RETRY_AFTER);
        Instant demanded =
                retryAfter.map(time -> time.isBefore(latest) ? time : latest).orElse(retryAt);
        return new FailureState(count, demanded.isAfter(retryAt) ? demanded : retryAt);
    }

    /**
     * @param failures the number of failures in a row; at least 1
     * @param random from 0 to 1
     */
    static Duration after(int failures, double random) {
        Duration delay = FIRST.multipliedBy(1L << Math.min(failures - 1, MAX_DOUBLINGS));
        Duration bounded = delay.compareTo(LONGEST) < 0 ? delay : LONGEST;
        return bounded.plusMillis((long) (bounded.toMillis() * JITTER * random));
    }
}
