package io.ballast.core.config;

import io.ballast.core.Checks;

/**
 * How many requests may be sent again, so that retries cannot multiply the load of backends that are failing already.
 *
 * @param percent of the requests of the last ten seconds
 * @param minPerSecond allowed beside these on average, so that a pool with little traffic can retry
 */
public record RetryBudgetConfig(int percent, int minPerSecond) {

    public static final RetryBudgetConfig DEFAULT = new RetryBudgetConfig(20, 10);

    public RetryBudgetConfig {
        Checks.between(percent, 0, 100, "ratio");
        Checks.between(minPerSecond, 0, 1_000_000, "min_per_second");
    }
}
