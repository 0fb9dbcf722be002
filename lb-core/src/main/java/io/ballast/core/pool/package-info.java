/**
 * Pools: groups of equivalent backends, with the strategy that balances over them.
 *
 * <p>{@link io.ballast.core.pool.Pool} is mutable and refreshed by the control plane. {@link
 * io.ballast.core.pool.PoolSnapshot} is read by the data plane. {@link io.ballast.core.pool.Topology}
 * contains all pools of one configuration.
 */
@NullMarked
package io.ballast.core.pool;

import org.jspecify.annotations.NullMarked;
