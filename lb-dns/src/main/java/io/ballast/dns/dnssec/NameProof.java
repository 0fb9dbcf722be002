package io.ballast.dns.dnssec;

import org.jspecify.annotations.Nullable;

/**
 * What proves which types a name has.
 *
 * @param types of the name
 * @param records an NSEC or NSEC3 record and its signature; null for a wildcard, where it is made for the name that is
 *     asked
 */
public record NameProof(TypeBitmap types, @Nullable SignedRecords records) {

    private static final TypeBitmap UNUSED = TypeBitmap.of();

    /** A proof that was made ahead; its bitmap stands in the records. */
    public static NameProof of(SignedRecords records) {
        return new NameProof(UNUSED, records);
    }
}
