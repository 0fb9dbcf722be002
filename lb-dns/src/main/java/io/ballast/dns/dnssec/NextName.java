package io.ballast.dns.dnssec;

import io.ballast.dns.wire.Wire;

/**
 * Computes the first name in canonical order that may exist after a given name.
 *
 * <p>This is the name with the label {@code \000} prepended. If that name would be too long, it is the next
 * name that fits (<a href="https://datatracker.ietf.org/doc/html/rfc4470#section-4">RFC 4470 section 4</a>).
 * Any name in between would also be too long.
 */
final class NextName {

    private static final int LABEL_BYTES = 2;

    private NextName() {}

    /**
     * Writes the name that follows the name in the first {@code length} bytes of {@code name}. The given name must be
     * in lower case.
     *
     * @param apexLength length of the zone name, which is at the end of {@code name}; the last name of the zone is
     *     followed by the zone name
     * @return offset of the end of the written name; at most {@link Wire#MAX_NAME_BYTES} bytes are written
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

    /**
     * Writes the next name in canonical order that is not longer than {@code name}. Drops trailing 0xff bytes of
     * the first label and increments the last remaining byte of the label.
     */
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
                // Skip upper case letters, which sort like lower case letters.
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
