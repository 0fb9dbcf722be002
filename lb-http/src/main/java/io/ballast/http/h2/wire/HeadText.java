package io.ballast.http.h2.wire;

import io.ballast.http.head.Octets;
import java.util.Arrays;

/** Octets of a head that are put together. Event-loop confined; allocates only to become larger than ever. */
public final class HeadText {

    /** Octets behind the end that a scanner may read. */
    public static final int SLACK = 16;

    private static final int KEPT_BYTES = 2048;

    private byte[] bytes = new byte[64];
    private int length;

    /** From offset 0, readable for some octets behind the end. */
    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return length;
    }

    public void clear() {
        length = 0;
    }

    public void append(byte[] source) {
        append(source, 0, source.length);
    }

    public void append(HeadText other) {
        append(other.bytes, 0, other.length);
    }

    public void append(byte octet) {
        reserve(1);
        bytes[length++] = octet;
    }

    public void append(byte[] source, int from, int to) {
        reserve(to - from);
        System.arraycopy(source, from, bytes, length, to - from);
        length += to - from;
    }

    /** Takes over what another one holds. */
    public void copy(HeadText other) {
        clear();
        append(other);
    }

    /** Lets go of what it holds, and of more room than most heads need. */
    public void release() {
        length = 0;
        if (bytes.length > KEPT_BYTES) {
            bytes = new byte[64];
        }
    }

    public boolean equalsIgnoreCase(byte[] other, int from, int to) {
        if (length != to - from) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (Octets.lower(bytes[i]) != Octets.lower(other[from + i])) {
                return false;
            }
        }
        return true;
    }

    private void reserve(int count) {
        if (bytes.length - length < count + SLACK) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count + SLACK));
        }
    }
}
