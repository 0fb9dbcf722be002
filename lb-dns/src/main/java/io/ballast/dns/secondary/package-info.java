/**
 * Zones whose contents come from other servers: {@link io.ballast.dns.secondary.SecondaryZones} follows their primaries, keeps
 * what comes, and makes of a configuration one whose zones can be served.
 *
 * <p>Read {@link io.ballast.dns.secondary.SecondaryZones} first, then {@code SecondaryZone} (one zone and its times) and
 * {@code Refresh} (what is asked when it is due). Nothing here runs where queries are answered.
 */
@NullMarked
package io.ballast.dns.secondary;

import org.jspecify.annotations.NullMarked;
