/**
 * Zones signed by their primary: nothing is signed here, and non-existence is proved with the zone's own NSEC or NSEC3
 * records.
 *
 * <ul>
 *   <li>{@link io.ballast.dns.dnssec.presigned.DenialChain}: the sorted records with their signatures
 *   <li>{@link io.ballast.dns.dnssec.presigned.Nsec3Parameters}: the hash parameters
 *   <li>{@link io.ballast.dns.dnssec.presigned.DenialProofCollector}: finds the records that prove one answer
 * </ul>
 */
@NullMarked
package io.ballast.dns.dnssec.presigned;

import org.jspecify.annotations.NullMarked;
