/**
 * Online signing of zones. {@link io.ballast.dns.zone.signing.SignedZones} holds the signed zones, and
 * decides from their keys and the clock when they must be signed again. {@link
 * io.ballast.dns.zone.signing.ZoneSigners} contains the signers of one thread.
 */
@NullMarked
package io.ballast.dns.zone.signing;

import org.jspecify.annotations.NullMarked;
