package io.ballast.dns.querylog.dnstap;

import java.util.Arrays;

/**
 * A growing byte buffer with encoding methods for <a href="https://protobuf.dev/programming-guides/encoding/">Protocol
 * Buffers</a> fields. Never shrinks. Confined to one thread.
 */
final class FrameBuffer {

    private static final int VARINT = 0;
    private static final int LENGTH_DELIMITED = 2;
    private static final int FIXED32 = 5;
    private static final int FIELD_SHIFT = 3;
    private static final int MAX_VARINT_BYTES = 10;
    private static final int INITIAL_BYTES = 4096;

    private byte[] bytes = new byte[INITIAL_BYTES];
    private int length;

    /** The bytes from offset 0 to {@link #length}. Valid until the next write. */
    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    void clear() {
        length = 0;
    }

    /** Writes a 32-bit integer in network byte order, as in Frame Streams. */
    void putInt(int value) {
        reserve(Integer.BYTES);
        bytes[length++] = (byte) (value >>> 24);
        bytes[length++] = (byte) (value >>> 16);
        bytes[length++] = (byte) (value >>> 8);
        bytes[length++] = (byte) value;
    }

    void putBytes(byte[] source, int offset, int count) {
        reserve(count);
        System.arraycopy(source, offset, bytes, length, count);
        length += count;
    }

    /** Writes a varint field. */
    void putVarintField(int field, long value) {
        putVarint((long) field << FIELD_SHIFT | VARINT);
        putVarint(value);
    }

    /** Writes a bytes, string or message field. */
    void bytes(int field, byte[] source, int offset, int count) {
        putVarint((long) field << FIELD_SHIFT | LENGTH_DELIMITED);
        putVarint(count);
        putBytes(source, offset, count);
    }

    /** Writes a 32-bit field. */
    void putFixed32Field(int field, int value) {
        putVarint((long) field << FIELD_SHIFT | FIXED32);
        putInt(Integer.reverseBytes(value));
    }

    private void putVarint(long value) {
        reserve(MAX_VARINT_BYTES);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[length++] = (byte) ((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    private void reserve(int count) {
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
        }
    }
}
