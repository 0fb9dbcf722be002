package io.ballast.policy.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * A maximum rate.
 *
 * @param count the number of requests per period, at least 1
 * @param period from 1 s to 1 day
 * @param burst the number of requests that may arrive at once, at least 1
 */
public record Rate(int count, Duration period, int burst) {

    public static final int MAX_COUNT = 1_000_000;
    public static final Duration MAX_PERIOD = Duration.ofDays(1);

    public Rate {
        Checks.between(count, 1, MAX_COUNT, "rate");
        Checks.between(burst, 1, MAX_COUNT, "burst");
        boolean isInRange = period.compareTo(Duration.ofSeconds(1)) >= 0 && period.compareTo(MAX_PERIOD) <= 0;
        Checks.that(isInRange, "rate", period, "a period from 1s to 1d");
    }

    /** Creates a rate whose burst is the count. */
    public Rate(int count, Duration period) {
        this(count, period, count);
    }
}
