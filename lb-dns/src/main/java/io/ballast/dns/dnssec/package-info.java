/**
 * Signs zones while they are served.
 *
 * <ul>
 *   <li>{@link io.ballast.dns.dnssec.ZoneSigner}: signs compiled zones outside the control plane, and caches
 *       signatures
 *   <li>{@link io.ballast.dns.dnssec.SignedZone}: signing parameters that answering threads need
 *   <li>{@link io.ballast.dns.dnssec.OnDemandSigner}: signs answers about names not known in advance, within
 *       a budget
 *   <li>{@link io.ballast.dns.dnssec.CanonicalRrset}: record sets in the form that is signed
 *   <li>{@link io.ballast.dns.dnssec.SignedRecords}: the results, ready to be copied into a response
 * </ul>
 *
 * <p>Keys and their files are in {@link io.ballast.dns.dnssec.key}.
 */
@NullMarked
package io.ballast.dns.dnssec;

import org.jspecify.annotations.NullMarked;
