package io.ballast.dns.forward.cache;

/**
 * The sections of an answer.
 *
 * @param bytes the records and, after them, the offset of each TTL as 16 bits
 * @param recordBytes the length of the records, without the offsets
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
record Sections(byte[] bytes, int recordBytes, int answerCount, int authorityCount) {

    static final Sections EMPTY =
            new Sections(new byte[0], /* recordBytes= */ 0, /* answerCount= */ 0, /* authorityCount= */ 0);
}
