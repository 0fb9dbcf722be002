package io.ballast.dns.dnssec.presigned;

import io.ballast.dns.wire.Wire;

/**
 * Encodes names of a zone as byte keys that sort in canonical name order (<a
 * href="https://datatracker.ietf.org/doc/html/rfc4034#section-6.1">RFC 4034 section 6.1</a>): the labels below the zone
 * name, last label first, each followed by 0. The bytes 0 and 1 in a label are escaped as two bytes, so that the end of
 * a label sorts first.
 *
 * <p>Thread safety: confined to one thread.
 */
final class CanonicalNameKey {

    /** Maximum size of a key in bytes. */
    static final int MAX_BYTES = 2 * Wire.MAX_NAME_BYTES;

    private static final byte ESCAPE = 1;

    private final int[] labels = new int[Wire.MAX_NAME_BYTES / 2 + 1];

    /**
     * Writes the key of a name.
     *
     * @param name name in lower case and wire format
     * @param end end offset of the name, including its root label
     * @param apexBytes length of the zone name at the end of the name
     * @return length of the key; 0 for the zone name
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
                int b = name[at];
                if (b == 0 || b == ESCAPE) {
                    key[length++] = ESCAPE;
                    b++;
                }
                key[length++] = (byte) b;
            }
            key[length++] = 0;
        }
        return length;
    }
}
