package io.ballast.dns.dnssec;

import org.jspecify.annotations.Nullable;

/**
 * The proof that lists the record types of a name.
 *
 * @param types types of the name
 * @param records an NSEC or NSEC3 record and its signature; null for a wildcard, whose proof is made for the
 *     query name
 */
public record NameProof(TypeBitmap types, @Nullable SignedRecords records) {

    private static final TypeBitmap UNUSED = TypeBitmap.of();

    /** Returns a precomputed proof. Its type bitmap is contained in the records. */
    public static NameProof of(SignedRecords records) {
        return new NameProof(UNUSED, records);
    }
}
