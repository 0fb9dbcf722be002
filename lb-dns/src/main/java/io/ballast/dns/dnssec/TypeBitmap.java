package io.ballast.dns.dnssec;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The type bitmap of a name in NSEC and NSEC3 records (<a
 * href="https://datatracker.ietf.org/doc/html/rfc4034#section-4.1.2">RFC 4034 section 4.1.2</a>). Thread safety:
 * immutable.
 */
public final class TypeBitmap {

    private static final int WINDOW_TYPES = 256;
    private static final int WINDOW_BYTES = 32;

    private final byte[] bytes;

    private TypeBitmap(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns the bitmap of the given types, which may be in any order. */
    static TypeBitmap of(int... types) {
        int[] sorted = IntStream.of(types).sorted().distinct().toArray();
        byte[] bytes = new byte[0];
        int next = 0;
        while (next < sorted.length) {
            int window = sorted[next] / WINDOW_TYPES;
            byte[] bits = new byte[WINDOW_BYTES];
            int length = 0;
            for (; next < sorted.length && sorted[next] / WINDOW_TYPES == window; next++) {
                int bit = sorted[next] % WINDOW_TYPES;
                bits[bit >> 3] |= (byte) (0x80 >> (bit & 7));
                length = (bit >> 3) + 1;
            }
            int end = bytes.length;
            bytes = Arrays.copyOf(bytes, end + 2 + length);
            bytes[end] = (byte) window;
            bytes[end + 1] = (byte) length;
            System.arraycopy(bits, 0, bytes, end + 2, length);
        }
        return new TypeBitmap(bytes);
    }

    int length() {
        return bytes.length;
    }

    /** Writes the bitmap and returns the end offset. */
    int write(byte[] out, int at) {
        System.arraycopy(bytes, 0, out, at, bytes.length);
        return at + bytes.length;
    }
}
