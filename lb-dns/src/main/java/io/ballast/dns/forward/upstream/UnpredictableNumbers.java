package io.ballast.dns.forward.upstream;

import java.security.SecureRandom;

/**
 * Random numbers that cannot be predicted from earlier numbers. This protects against forged responses (<a
 * href="https://datatracker.ietf.org/doc/html/rfc5452#section-9.2">RFC 5452 section 9.2</a>).
 *
 * <p>Event-loop confined. Cost: one call of the generator for {@value #BYTES} bytes.
 */
final class UnpredictableNumbers {

    private static final int BYTES = 4096;

    private final SecureRandom source;
    private final byte[] bytes = new byte[BYTES];
    private int next = BYTES;

    UnpredictableNumbers(SecureRandom source) {
        this.source = source;
    }

    int nextU8() {
        if (next == BYTES) {
            source.nextBytes(bytes);
            next = 0;
        }
        return bytes[next++] & 0xff;
    }

    int nextU16() {
        return nextU8() << 8 | nextU8();
    }

    /** @param bound upper bound; must be small compared with 65,536, because lower numbers are slightly more likely */
    int nextBelow(int bound) {
        return (nextU16() * bound) >>> 16;
    }
}
