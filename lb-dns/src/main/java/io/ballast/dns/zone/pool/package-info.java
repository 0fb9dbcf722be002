/**
 * The pools at one moment, as sources of addresses for answers. {@link io.ballast.dns.zone.pool.PoolView} has
 * the {@link io.ballast.dns.zone.pool.PoolAddresses} of each pool, which select members of the pool.
 */
@NullMarked
package io.ballast.dns.zone.pool;

import org.jspecify.annotations.NullMarked;
