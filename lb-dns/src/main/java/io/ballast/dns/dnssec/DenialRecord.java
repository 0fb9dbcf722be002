package io.ballast.dns.dnssec;

/**
 * An NSEC or NSEC3 record to be signed.
 *
 * @param owner owner in lower case and wire format
 * @param ownerLabelBytes number of owner bytes before the zone name; {@link #OWNER_IS_NAME} if the owner is
 *     the name whose existence or types are proven
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record DenialRecord(byte[] owner, int ownerLabelBytes, CanonicalRrset set) {

    static final int OWNER_IS_NAME = -1;
}
