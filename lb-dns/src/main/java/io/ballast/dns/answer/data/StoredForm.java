package io.ballast.dns.answer.data;

/**
 * The storage format of a name and its records in the arena of {@link StoredNames}, written by {@link
 * StoredNameWriter} and read by {@link StoredName}. Numbers are in network byte order; the number before each
 * field is its size in bytes.
 *
 * <pre>
 *   1  length of the name     n  name in lower case
 *   1  flags
 *   4  number of the NameEntry of the name; only if the flag SPECIAL is set; nothing follows
 *   2  number of sets, each of which is
 *        2  type, 0 for glue    2  records    2  pointers to the zone name    4  length of the template
 *        n  template, as it is copied into a response
 *        4  for each pointer, its offset in the template
 *        2  length of the RRSIG records, 0 if there are none    n  RRSIG records    (both only if SIGNED is set)
 *   the proof of the types of the name, only if PROVEN is set:
 *        1  whether the owner of the proof is the name    2  bytes of the owner before a pointer
 *        2  length    n  two records
 * </pre>
 */
final class StoredForm {

    static final int SPECIAL = 1;
    static final int DELEGATED = 2;
    static final int SIGNED = 4;
    static final int PROVEN = 8;

    /** Pseudo-type of glue, which consists of the address records of name servers with their own owner names. */
    static final int GLUE = 0;

    /** Size of the fields of a record set before its template, in bytes. */
    static final int SET_HEAD_BYTES = 10;

    static final int POINTER_BYTES = 4;

    /** Size of the fields of a proof before its records, in bytes. */
    static final int PROOF_HEAD_BYTES = 5;

    /** Number of records in a proof: an NSEC or NSEC3 record and its RRSIG record. */
    static final int PROOF_RECORDS = 2;

    private StoredForm() {}
}
