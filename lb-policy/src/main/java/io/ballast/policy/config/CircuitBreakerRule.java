package io.ballast.policy.config;

import io.ballast.core.config.CircuitBreakerConfig;

/**
 * The circuit breaker of a pool.
 *
 * @param pool the name of the pool, for events
 */
public record CircuitBreakerRule(String pool, CircuitBreakerConfig breaker) implements PolicyRule {

    @Override
    public String kind() {
        return PoolPolicies.CIRCUIT_BREAKER;
    }
}
