/**
 * Limits of concurrent requests: of a client or another key ({@link io.ballast.policy.concurrency.ConcurrencyPolicy}), and
 * of a pool ({@link io.ballast.policy.concurrency.PoolConcurrencyPolicy}), fixed or adaptive.
 */
@NullMarked
package io.ballast.policy.concurrency;

import org.jspecify.annotations.NullMarked;
