package io.ballast.http.h2.wire;

import io.ballast.http.head.Octets;
import io.netty.buffer.ByteBuf;

/** What a client of HTTP/2 sends first (RFC 9113 section 3.4). */
public final class Preface {

    private static final byte[] OCTETS = Octets.ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    public static final int LENGTH = OCTETS.length;
    /** With so many octets, no request of HTTP/1.1 begins that we would serve. */
    private static final int TELLING_BYTES = 6;

    /** What the first octets of a connection say. */
    public enum Verdict {
        YES,
        NO,
        TOO_SHORT
    }

    private Preface() {}

    public static byte at(int index) {
        return OCTETS[index];
    }

    /** All of it. */
    public static byte[] octets() {
        return OCTETS.clone();
    }

    /** Whether a connection that begins with what is readable speaks HTTP/2. */
    public static Verdict judge(ByteBuf first) {
        int length = Math.min(TELLING_BYTES, first.readableBytes());
        for (int i = 0; i < length; i++) {
            if (first.getByte(first.readerIndex() + i) != OCTETS[i]) {
                return Verdict.NO;
            }
        }
        return length == TELLING_BYTES ? Verdict.YES : Verdict.TOO_SHORT;
    }
}
