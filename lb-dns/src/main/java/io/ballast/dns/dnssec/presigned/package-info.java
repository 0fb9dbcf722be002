/**
 * Zones that their primary has signed. This server signs nothing in them, and proves non-existence with the
 * NSEC or NSEC3 records of the zone.
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
