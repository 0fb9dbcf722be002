package io.ballast.dns.answer;

/**
 * How a name and its records stand in the arena of {@link StoredNames}, written by {@link StoredNameWriter} and read by
 * {@link StoredName}. Numbers have their most significant octet first.
 *
 * <pre>
 *   1  length of the name     n  name in lower case
 *   1  flags
 *   4  number of its NameEntry, if it is SPECIAL; then this is the end
 *   2  number of sets, each of which is
 *        2  type, 0 for glue    2  records    2  pointers to the name of the zone    4  octets of the template
 *        n  template, as it is copied into a response
 *        4  for each pointer, where in the template it stands
 *        2  octets of the RRSIG records, 0 if there are none    n  RRSIG records    (both only if SIGNED)
 *   the proof of its types, if it is PROVEN:
 *        1  whether its owner is the name     2  octets of its owner before a pointer     2  octets     n  two records
 * </pre>
 */
final class StoredForm {

    static final int SPECIAL = 1;
    static final int DELEGATED = 2;
    static final int SIGNED = 4;
    static final int PROVEN = 8;

    /** Stands for a type: addresses of servers, under their own names. */
    static final int GLUE = 0;

    /** Octets of a set before its template. */
    static final int SET_HEAD_BYTES = 10;

    static final int POINTER_BYTES = 4;

    /** Octets of a proof before its records. */
    static final int PROOF_HEAD_BYTES = 5;

    /** Records of a proof: an NSEC or NSEC3 record and its RRSIG record. */
    static final int PROOF_RECORDS = 2;

    private StoredForm() {}
}
