package io.ballast.dns.dnssec.presigned;

import io.ballast.dns.wire.Wire;

/**
 * Names of a zone as bytes whose order is the canonical order of names (<a
 * href="https://datatracker.ietf.org/doc/html/rfc4034#section-6.1">RFC 4034 section 6.1</a>): the labels from the name of the zone
 * down, each ended by 0. The bytes 0 and 1 of a label are written as two, so that the end of a label comes before any byte.
 *
 * <p>Thread safety: confined to one thread.
 */
final class CanonicalKey {

    /** Of any name. */
    static final int MOST_BYTES = 2 * Wire.MAX_NAME_BYTES;

    private static final byte ESCAPE = 1;

    private final int[] labels = new int[Wire.MAX_NAME_BYTES / 2 + 1];

    /**
     * Writes the key of a name.
     *
     * @param name in lower case and wire format
     * @param end behind the name, its root label included
     * @param apexBytes how many of its last bytes are the name of the zone
     * @return the length of the key; 0 for the name of the zone
     */
    int write(byte[] name, int start, int end, int apexBytes, byte[] key) {
        int count = 0;
        for (int at = start; at < end - apexBytes; at += 1 + name[at]) {
            labels[count++] = at;
        }
        int length = 0;
        for (int i = count - 1; i >= 0; i--) {
            int last = labels[i] + name[labels[i]];
            for (int at = labels[i] + 1; at <= last; at++) {
                int octet = name[at];
                if (octet == 0 || octet == ESCAPE) {
                    key[length++] = ESCAPE;
                    octet++;
                }
                key[length++] = (byte) octet;
            }
            key[length++] = 0;
        }
        return length;
    }
}
