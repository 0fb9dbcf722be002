/**
 * Secondary zones: {@link io.ballast.dns.secondary.SecondaryZones} checks their primaries for new versions,
 * stores transferred versions, and converts a configuration to one that can be served.
 *
 * <p>Read {@link io.ballast.dns.secondary.SecondaryZones} first, then {@code SecondaryZone} (one zone and its
 * timers) and {@code Refresh} (the queries of a refresh). None of this runs on threads that answer queries.
 */
@NullMarked
package io.ballast.dns.secondary;

import org.jspecify.annotations.NullMarked;
