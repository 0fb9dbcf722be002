/**
 * The signed zones with their keys: {@link io.ballast.dns.zone.signing.SignedZones} follows keys and clock, {@link
 * io.ballast.dns.zone.signing.ZoneSigners} signs for one thread.
 */
@NullMarked
package io.ballast.dns.zone.signing;

import org.jspecify.annotations.NullMarked;
