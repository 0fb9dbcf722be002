package io.ballast.http.h2.wire;

import io.ballast.http.head.ByteClasses;
import io.netty.buffer.ByteBuf;

/** The connection preface of an HTTP/2 client (RFC 9113 section 3.4). */
public final class Preface {

    private static final byte[] BYTES = ByteClasses.ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    public static final int LENGTH = BYTES.length;
    /** Number of bytes that identify HTTP/2, because no valid HTTP/1.1 request starts with them. */
    private static final int DISTINCTIVE_BYTES = 6;

    /** The result of {@link #detect}: whether a connection uses HTTP/2. */
    public enum Verdict {
        YES,
        NO,
        TOO_SHORT
    }

    private Preface() {}

    public static byte at(int index) {
        return BYTES[index];
    }

    /** Returns a copy of the whole preface. */
    public static byte[] bytes() {
        return BYTES.clone();
    }

    /** Decides whether a connection that starts with the readable bytes of {@code first} uses HTTP/2. */
    public static Verdict detect(ByteBuf first) {
        int length = Math.min(DISTINCTIVE_BYTES, first.readableBytes());
        for (int i = 0; i < length; i++) {
            if (first.getByte(first.readerIndex() + i) != BYTES[i]) {
                return Verdict.NO;
            }
        }
        return length == DISTINCTIVE_BYTES ? Verdict.YES : Verdict.TOO_SHORT;
    }
}
