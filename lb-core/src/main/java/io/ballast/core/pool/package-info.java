/**
 * Pools: backends that serve the same thing, with the strategy that balances over them.
 *
 * <p>{@link io.ballast.core.pool.Pool} is the mutable thing that the control plane refreshes; {@link
 * io.ballast.core.pool.PoolSnapshot} is what the data plane reads; {@link io.ballast.core.pool.Topology} is all pools
 * of one configuration.
 */
@NullMarked
package io.ballast.core.pool;

import org.jspecify.annotations.NullMarked;
