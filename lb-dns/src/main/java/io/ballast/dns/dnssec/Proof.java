package io.ballast.dns.dnssec;

/**
 * An NSEC or NSEC3 record, to be signed.
 *
 * @param owner in lower case and wire format
 * @param ownerLabelBytes how many bytes of the owner stand before the name of the zone; {@link #OWNER_IS_NAME} if it is the
 *     name that the proof is about
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Proof(byte[] owner, int ownerLabelBytes, CanonicalRrset set) {

    static final int OWNER_IS_NAME = -1;
}
