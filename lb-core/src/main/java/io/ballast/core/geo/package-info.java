/**
 * Geography: which region a client's address belongs to, by networks of the configuration and by MaxMind databases.
 *
 * <p>Start with {@link io.ballast.core.geo.RegionTable}, which answers for an address without allocating. Everything
 * else runs when a configuration is applied or a file has changed: sources become sorted ranges of addresses, the ranges
 * are laid over one another, and the result is compiled.
 *
 * <ul>
 *   <li>{@link io.ballast.core.geo.GeoSource}: the table of a configuration, which follows its files
 *   <li>{@link io.ballast.core.geo.Geography}: what strategies ask of it
 *   <li>{@link io.ballast.core.geo.Regions}: names, ids, and which region stands in for which
 *   <li>{@link io.ballast.core.geo.RegionMatch}, {@link io.ballast.core.geo.RegionRule}: why an address has its region
 *   <li>{@link io.ballast.core.geo.RegionNetwork}: a network of a region, to make tables without a configuration
 *   <li>{@link io.ballast.core.geo.GeoDatabaseException}: a database that cannot be used
 * </ul>
 */
@NullMarked
package io.ballast.core.geo;

import org.jspecify.annotations.NullMarked;
