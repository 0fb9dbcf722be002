/**
 * The pools as they are at one moment, as far as answers name their addresses: {@link
 * io.ballast.dns.zone.pool.PoolView} has the {@link io.ballast.dns.zone.pool.PoolAddresses} of each pool, which choose
 * among its members.
 */
@NullMarked
package io.ballast.dns.zone.pool;

import org.jspecify.annotations.NullMarked;
