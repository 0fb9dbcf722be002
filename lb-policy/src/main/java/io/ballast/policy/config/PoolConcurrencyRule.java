package io.ballast.policy.config;

import io.ballast.core.config.PoolConcurrency;

/** The limit of concurrent requests of a pool. */
public record PoolConcurrencyRule(PoolConcurrency limit) implements PolicyRule {

    @Override
    public String kind() {
        return PoolPolicies.CONCURRENCY;
    }
}
