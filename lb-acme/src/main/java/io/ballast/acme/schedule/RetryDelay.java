package io.ballast.acme.schedule;

import java.time.Duration;

/**
 * The delay after failed orders: 5 minutes, doubled with each further failure, at most 12 hours, and up to a fifth longer
 * at random. Let's Encrypt allows five failed validations of a name in an hour. Stateless.
 */
final class RetryDelay {

    private static final Duration FIRST = Duration.ofMinutes(5);
    private static final Duration LONGEST = Duration.ofHours(12);
    private static final int MAX_DOUBLINGS = 10;
    private static final double JITTER = 0.2;

    private RetryDelay() {}

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
