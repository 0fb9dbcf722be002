package io.ballast.dns.dnssec;

import org.jspecify.annotations.Nullable;

/**
 * A record set with its signature.
 *
 * @param rrsig the signature; null if the signature is made on demand, because the owner is not known in advance
 */
public record SignedRrset(CanonicalRrset set, @Nullable SignedRecords rrsig) {}
