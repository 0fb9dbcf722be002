/**
 * Geography: the region of a client's address, from networks of the configuration and from MaxMind databases.
 *
 * <p>Start with {@link io.ballast.core.geo.RegionTable}, which looks up an address without allocating. All
 * other code runs when a configuration is applied or a file has changed: it converts the sources to sorted
 * ranges of addresses, overlays the ranges, and compiles the result.
 *
 * <ul>
 *   <li>{@link io.ballast.core.geo.GeoSource}: the table of a configuration, which is compiled again when a
 *       database file changes
 *   <li>{@link io.ballast.core.geo.Geography}: the interface that strategies use
 *   <li>{@link io.ballast.core.geo.Regions}: names, ids and fallbacks of regions
 *   <li>{@link io.ballast.core.geo.RegionMatch}, {@link io.ballast.core.geo.RegionRule}: why an address has
 *       its region
 *   <li>{@link io.ballast.core.geo.RegionNetwork}: a network of a region, for tables without a configuration
 *   <li>{@link io.ballast.core.geo.GeoDatabaseException}: a database that cannot be used
 * </ul>
 */
@NullMarked
package io.ballast.core.geo;

import org.jspecify.annotations.NullMarked;
