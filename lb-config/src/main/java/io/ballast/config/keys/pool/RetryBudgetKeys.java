package io.ballast.config.keys.pool;

import static io.ballast.core.config.RetryBudgetConfig.DEFAULT;

import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.Percents;
import io.ballast.core.config.RetryBudgetConfig;

/** The keys of {@code pools.NAME.retry.budget}. */
final class RetryBudgetKeys {

    private static final int MAX_PER_SECOND = 1_000_000;

    private static final ShapeBuilder<RetryBudgetConfig> KEYS =
            Shape.named("budget", "Limit of retries, so that they cannot multiply the load.");

    private static final Key<Integer> RATIO = KEYS.optional(
            "ratio",
            Percents.PERCENT,
            DEFAULT.percent(),
            "maximum share of retries among the pool's requests of the last ten seconds",
            RetryBudgetConfig::percent);
    private static final Key<Integer> MIN_PER_SECOND = KEYS.optional(
            "min_per_second",
            Scalars.integer(0, MAX_PER_SECOND),
            DEFAULT.minPerSecond(),
            "additional retries per second on average, so that pools with little traffic can retry",
            RetryBudgetConfig::minPerSecond);

    static final Type<RetryBudgetConfig> BUDGET =
            KEYS.build(values -> new RetryBudgetConfig(values.get(RATIO), values.get(MIN_PER_SECOND)));

    private RetryBudgetKeys() {}
}
