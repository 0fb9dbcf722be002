package io.ballast.core.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * How the backends of a pool are checked.
 *
 * @param check what one check does
 * @param interval from the end of one check to the start of the next, with a jitter of a tenth
 * @param timeout for one check as a whole: connect, write and read
 * @param rise successes in a row that bring a backend up
 * @param fall failures in a row that take it down
 */
public record HealthConfig(HealthCheck check, Duration interval, Duration timeout, int rise, int fall) {

    public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(5);
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(1);
    public static final int DEFAULT_RISE = 2;
    public static final int DEFAULT_FALL = 3;
    public static final int MAX_STREAK = 100;

    public static final HealthConfig DEFAULT =
            new HealthConfig(new HealthCheck.Tcp(), DEFAULT_INTERVAL, DEFAULT_TIMEOUT, DEFAULT_RISE, DEFAULT_FALL);

    public HealthConfig {
        Checks.positive(interval, "interval");
        Checks.positive(timeout, "timeout");
        Checks.between(rise, 1, MAX_STREAK, "rise");
        Checks.between(fall, 1, MAX_STREAK, "fall");
    }
}
