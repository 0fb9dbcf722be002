package io.ballast.dns.net.doh;

import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;

/**
 * Computes how long HTTP caches may keep a response (<a
 * href="https://datatracker.ietf.org/doc/html/rfc8484#section-5.1">RFC 8484 section 5.1</a>): no longer than DNS caches
 * may keep it. A pool's addresses may depend on the client, so only the client itself may cache them.
 */
final class HttpFreshness {

    private static final int RECORD_FIXED_BYTES = 10;
    private static final int QUESTION_FIXED_BYTES = 4;

    private HttpFreshness() {}

    /** Returns the value of {@code Cache-Control} for a complete response. */
    static String cacheControl(byte[] response) {
        return "private, max-age=" + freshnessSeconds(response);
    }

    /**
     * Returns the lowest TTL of the answers; if there are no answers, the negative caching time (RFC 2308 section
     * 5).
     */
    static long freshnessSeconds(byte[] response) {
        int rcode = response[3] & 0x0f;
        if (rcode != Rcode.NOERROR && rcode != Rcode.NXDOMAIN) {
            return 0;
        }
        int answers = Wire.u16(response, 6);
        int records = answers > 0 ? answers : Wire.u16(response, 8);
        int at = Wire.HEADER_BYTES;
        if (Wire.u16(response, 4) > 0) {
            at = skipName(response, at) + QUESTION_FIXED_BYTES;
        }
        long min = records > 0 ? Long.MAX_VALUE : 0;
        for (int i = 0; i < records; i++) {
            int fixed = skipName(response, at);
            at = fixed + RECORD_FIXED_BYTES + Wire.u16(response, fixed + 8);
            min = Math.min(min, Integer.toUnsignedLong(Wire.u32(response, fixed + 4)));
            if (answers == 0 && Wire.u16(response, fixed) == RecordType.SOA) {
                // The last field of the SOA record is the negative caching time.
                min = Math.min(min, Integer.toUnsignedLong(Wire.u32(response, at - 4)));
            }
        }
        return min;
    }

    private static int skipName(byte[] message, int start) {
        int at = start;
        while (message[at] != 0) {
            int label = Wire.u8(message, at);
            if (label >= Wire.POINTER) {
                return at + 2;
            }
            at += 1 + label;
        }
        return at + 1;
    }
}
