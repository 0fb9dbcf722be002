/**
 * Signs zones while they are served.
 *
 * <ul>
 *   <li>{@link io.ballast.dns.dnssec.ZoneSigner}: signs what is compiled, beside the control plane, and keeps signatures
 *   <li>{@link io.ballast.dns.dnssec.SignedZone}: what answering threads have to know of a signed zone
 *   <li>{@link io.ballast.dns.dnssec.OnDemandSigner}: signs answers about names that were not known before, within a budget
 *   <li>{@link io.ballast.dns.dnssec.CanonicalRrset}: records in the form in which they are signed
 *   <li>{@link io.ballast.dns.dnssec.SignedRecords}: the outcome, ready to be copied into a response
 * </ul>
 *
 * <p>Keys and their files are in {@link io.ballast.dns.dnssec.key}.
 */
@NullMarked
package io.ballast.dns.dnssec;

import org.jspecify.annotations.NullMarked;
