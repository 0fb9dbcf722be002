package io.ballast.acme.schedule;

import io.ballast.acme.order.OrderException;
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

    /** The number of times that the same CA is asked to verify a name before another CA is tried. */
    static final int MAX_VERIFICATIONS = 3;

    private static final int MAX_DOUBLINGS = 10;
    private static final double JITTER = 0.2;

    /** The longest delay that a CA can demand. */
    private static final Duration MAX_RETRY_AFTER = Duration.ofDays(7);

    private RetryDelay() {}

    /**
     * Returns the state after one more failure. The next certificate authority (CA) is tried at once. After a failed
     * verification, the next CA is tried only when {@value #MAX_VERIFICATIONS} orders in a row have failed at the same
     * CA.
     *
     * @param random from 0 to 1
     */
    static FailureState after(FailureState before, Instant now, OrderException failure, double random) {
        FailureState next = next(before, now, failure.retryAfter(), random);
        boolean passesOn = next.passesOn() || failure.kind() != OrderException.Kind.NOT_VERIFIED;
        return new FailureState(next.count(), next.retryAt(), passesOn);
    }

    /**
     * Returns the state while an order runs, and after a failure of this process, such as a full disk. Another CA could
     * not help, so it is tried only after {@value #MAX_VERIFICATIONS} failures.
     *
     * @param random from 0 to 1
     */
    static FailureState next(FailureState before, Instant now, double random) {
        return next(before, now, Optional.empty(), random);
    }

    private static FailureState next(FailureState before, Instant now, Optional<Instant> retryAfter, double random) {
        int count = before.count() + 1;
        Instant retryAt = now.plus(after(count, random));
        Instant latest = now.plus(MAX_RETRY_AFTER);
        Instant demanded =
                retryAfter.map(time -> time.isBefore(latest) ? time : latest).orElse(retryAt);
        Instant later = demanded.isAfter(retryAt) ? demanded : retryAt;
        return new FailureState(count, later, /* passesOn= */ count >= MAX_VERIFICATIONS);
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
