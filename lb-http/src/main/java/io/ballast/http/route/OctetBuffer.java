package io.ballast.http.route;

import java.util.Arrays;

/** Octets that are composed one after the other; grows to the most ever needed. Event-loop confined. */
public final class OctetBuffer {

    private byte[] bytes = new byte[1024];
    private int length;

    /** The octets from 0 to {@link #length()}; not to be kept. */
    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return length;
    }

    void clear() {
        length = 0;
    }

    void append(byte octet) {
        reserve(1);
        bytes[length++] = octet;
    }

    void append(byte[] source) {
        append(source, 0, source.length);
    }

    void append(byte[] source, int from, int to) {
        reserve(to - from);
        System.arraycopy(source, from, bytes, length, to - from);
        length += to - from;
    }

    /** Takes {@code [from, to)} away. */
    void delete(int from, int to) {
        System.arraycopy(bytes, to, bytes, from, length - to);
        length -= to - from;
    }

    private void reserve(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
