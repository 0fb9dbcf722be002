/**
 * Zones that are changed by messages (<a href="https://datatracker.ietf.org/doc/html/rfc2136">RFC 2136</a>).
 * {@link io.ballast.dns.update.Updates} takes the messages and has them done one after the other, where configurations
 * are changed; an {@link io.ballast.dns.update.Update} says what one comes to, on a
 * {@link io.ballast.dns.update.ZoneDraft} of the zone; {@link io.ballast.dns.update.DynamicZoneFiles} keeps what has
 * become of the zone's file.
 */
@NullMarked
package io.ballast.dns.update;

import org.jspecify.annotations.NullMarked;
