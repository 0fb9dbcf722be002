package io.ballast.dns.dnssec;

import io.ballast.dns.wire.Wire;

/**
 * The first name in canonical order that may exist after a given one.
 *
 * <p>That is the name with the label {@code \000} before it; where that would be too long, the next one that fits (<a
 * href="https://datatracker.ietf.org/doc/html/rfc4470#section-4">RFC 4470 section 4</a>): no name lies between, because
 * it would be too long too.
 */
final class NextName {

    private static final int LABEL_BYTES = 2;

    private NextName() {}

    /**
     * Writes the name after the one in the first {@code length} bytes of {@code name}, which is in lower case.
     *
     * @param apexLength how many of its last bytes are the name of the zone: the last name is followed by the zone's own
     * @return where it ends; at most {@link Wire#MAX_NAME_BYTES} bytes are written
     */
    static int write(byte[] name, int length, int apexLength, byte[] out, int at) {
        if (length + LABEL_BYTES <= Wire.MAX_NAME_BYTES) {
            out[at] = 1;
            out[at + 1] = 0;
            return copy(name, 0, length, out, at + LABEL_BYTES);
        }
        int label = name[0];
        if (length < Wire.MAX_NAME_BYTES && label < Wire.MAX_LABEL_BYTES && length > apexLength) {
            out[at] = (byte) (label + 1);
            int end = copy(name, 1, label, out, at + 1);
            out[end] = 0;
            return copy(name, 1 + label, length - 1 - label, out, end + 1);
        }
        return increment(name, length, apexLength, out, at);
    }

    /** The next name that is no longer: the first label's last byte one up, after taking away bytes that are at the end. */
    private static int increment(byte[] name, int length, int apexLength, byte[] out, int at) {
        int start = 0;
        while (length - start > apexLength) {
            int label = name[start];
            int kept = label;
            while (kept > 0 && (name[start + kept] & 0xff) == 0xff) {
                kept--;
            }
            if (kept > 0) {
                out[at] = (byte) kept;
                int end = copy(name, start + 1, kept, out, at + 1);
                int last = (out[end - 1] & 0xff) + 1;
                // Upper case sorts as lower case does, so it is passed over.
                out[end - 1] = (byte) (last == 'A' ? 'Z' + 1 : last);
                return copy(name, start + 1 + label, length - start - 1 - label, out, end);
            }
            start += 1 + label;
        }
        return copy(name, length - apexLength, apexLength, out, at);
    }

    private static int copy(byte[] from, int start, int length, byte[] out, int at) {
        System.arraycopy(from, start, out, at, length);
        return at + length;
    }
}
