/**
 * Dynamically updated zones (<a href="https://datatracker.ietf.org/doc/html/rfc2136">RFC 2136</a>). {@link
 * io.ballast.dns.update.Updates} receives messages and processes them one after the other on the thread of
 * configuration changes; an {@link io.ballast.dns.update.Update} computes the result on a {@link
 * io.ballast.dns.update.ZoneDraft} of the zone; {@link io.ballast.dns.update.DynamicZoneFiles} stores the result.
 */
@NullMarked
package io.ballast.dns.update;

import org.jspecify.annotations.NullMarked;
