package io.ballast.dns.control;

import io.ballast.dns.wire.Response;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;

/** Truncates a response, leaving only its header and question section. May be called from any thread. */
final class ResponseTruncation {

    private static final int CODE_MASK = 0x0f;

    private ResponseTruncation() {}

    /** Returns the header and the question section of a response, with the TC flag set. */
    static byte[] of(byte[] response) {
        int end = Wire.HEADER_BYTES;
        if (Wire.u16(response, 4) > 0) {
            while (response[end] != 0) {
                end += 1 + Wire.u8(response, end);
            }
            end += 5;
        }
        byte[] cut = Arrays.copyOf(response, end);
        cut[2] |= (byte) Response.TRUNCATED;
        cut[3] &= (byte) ~CODE_MASK;
        Arrays.fill(cut, 6, Wire.HEADER_BYTES, (byte) 0);
        return cut;
    }
}
