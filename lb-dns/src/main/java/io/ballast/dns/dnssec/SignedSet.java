package io.ballast.dns.dnssec;

import org.jspecify.annotations.Nullable;

/**
 * A set of records with its signature.
 *
 * @param rrsig null if it is made when a name is asked, because the owner is not known before
 */
public record SignedSet(CanonicalRrset set, @Nullable SignedRecords rrsig) {}
