/**
 * A view of the pools at one moment, from which answers take their addresses.
 * {@link io.ballast.dns.zone.pool.PoolView} contains the {@link io.ballast.dns.zone.pool.PoolAddresses} of
 * each pool, which select members of the pool.
 */
@NullMarked
package io.ballast.dns.zone.pool;

import org.jspecify.annotations.NullMarked;
