package io.ballast.http.h1.wire;

import io.netty.buffer.ByteBuf;

/** Writes the first line of a chunk (RFC 9112 section 7.1). Stateless; no allocation. */
public final class ChunkSize {

    /** The maximum length of a chunk size line in bytes: the digits of the largest size, and the line end. */
    public static final int MAX_BYTES = 8 + 2;

    private static final int CRLF = 0x0d0a;
    private static final int DIGIT_BITS = 4;

    private ChunkSize() {}

    /** Appends the line for a chunk of {@code length} bytes, which must not be negative, to {@code target}. */
    public static void write(int length, ByteBuf target) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(length);
        for (int shift = Math.max(0, (bits - 1) / DIGIT_BITS * DIGIT_BITS); shift >= 0; shift -= DIGIT_BITS) {
            target.writeByte(Character.forDigit(length >>> shift & 0xf, 16));
        }
        target.writeShort(CRLF);
    }
}
