/**
 * The signed zones with their keys. {@link io.ballast.dns.zone.signing.SignedZones} watches keys and clock,
 * and {@link io.ballast.dns.zone.signing.ZoneSigners} signs for one thread.
 */
@NullMarked
package io.ballast.dns.zone.signing;

import org.jspecify.annotations.NullMarked;
