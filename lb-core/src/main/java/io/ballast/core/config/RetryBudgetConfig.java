package io.ballast.core.config;

import io.ballast.core.Checks;

/**
 * Limits the number of retries, so that they cannot multiply the load of backends that are already failing.
 *
 * @param percent the allowed retries, in percent of the requests of the last ten seconds
 * @param minPerSecond additional retries per second on average, so that a pool with little traffic can retry
 */
public record RetryBudgetConfig(int percent, int minPerSecond) {

    public static final RetryBudgetConfig DEFAULT = new RetryBudgetConfig(20, 10);

    public RetryBudgetConfig {
        Checks.between(percent, 0, 100, "ratio");
        Checks.between(minPerSecond, 0, 1_000_000, "min_per_second");
    }
}
