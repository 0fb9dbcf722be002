/**
 * Circuit breakers of pools: {@link io.ballast.policy.breaker.CircuitBreakerPolicy} applies a
 * {@link io.ballast.policy.breaker.CircuitBreaker} to requests.
 */
@NullMarked
package io.ballast.policy.breaker;

import org.jspecify.annotations.NullMarked;
