/**
 * Geography: which region a client's address belongs to, by networks of the configuration and by MaxMind databases.
 *
 * <p>Start with {@link io.ballast.core.geo.RegionTable}, which answers for an address without allocating. Everything
 * else runs when a configuration is applied or a file has changed: sources become sorted ranges of addresses, the ranges
 * are laid over one another, and the result is compiled.
 */
@NullMarked
package io.ballast.core.geo;

import org.jspecify.annotations.NullMarked;
