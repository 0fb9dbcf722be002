/**
 * Zones that their primary has signed: nothing is signed here, and answers about what does not exist are proven by the NSEC or NSEC3
 * records that the zone has.
 *
 * <ul>
 *   <li>{@link io.ballast.dns.dnssec.presigned.DenialChain}: these records with their signatures, in order
 *   <li>{@link io.ballast.dns.dnssec.presigned.Nsec3Parameters}: how names are hashed
 *   <li>{@link io.ballast.dns.dnssec.presigned.DenialProofs}: finds the records that prove one answer
 * </ul>
 */
@NullMarked
package io.ballast.dns.dnssec.presigned;

import org.jspecify.annotations.NullMarked;
