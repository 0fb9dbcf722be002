package io.ballast.dns.protect;

/**
 * <a href="https://cr.yp.to/siphash/siphash-20120918.pdf">SipHash-2-4</a> for the inputs of server cookies.
 *
 * <p>Thread safety: immutable. Cost: 12 or 14 rounds; allocates nothing.
 */
final class SipHash24 {

    private static final int IPV4_MESSAGE_BYTES = 20;
    private static final int IPV6_MESSAGE_BYTES = 32;

    private final long k0;
    private final long k1;

    /** Creates a hash from the two little-endian halves of a key. */
    SipHash24(long k0, long k1) {
        this.k0 = k0;
        this.k1 = k1;
    }

    /** The hash of two little-endian words and the four bytes of an IPv4 address. */
    long ofIpv4(long first, long second, int address) {
        return hash(
                first, second, 0, 0, /* words= */ 2, lengthWord(IPV4_MESSAGE_BYTES) | Integer.toUnsignedLong(address));
    }

    /** The hash of four little-endian words, of which the last two are an IPv6 address. */
    long ofIpv6(long first, long second, long third, long fourth) {
        return hash(first, second, third, fourth, /* words= */ 4, lengthWord(IPV6_MESSAGE_BYTES));
    }

    private static long lengthWord(int messageBytes) {
        return (long) messageBytes << 56;
    }

    private long hash(long m0, long m1, long m2, long m3, int words, long last) {
        long v0 = k0 ^ 0x736f6d6570736575L;
        long v1 = k1 ^ 0x646f72616e646f6dL;
        long v2 = k0 ^ 0x6c7967656e657261L;
        long v3 = k1 ^ 0x7465646279746573L;
        // One loop handles the message words, the last word and the four final rounds. Separate methods for them
        // would have to return four values, but a Java method returns only one.
        for (int i = 0; i <= words + 1; i++) {
            boolean finishing = i > words;
            long word = i == words ? last : i == 0 ? m0 : i == 1 ? m1 : i == 2 ? m2 : m3;
            if (finishing) {
                v2 ^= 0xff;
            } else {
                v3 ^= word;
            }
            for (int round = finishing ? 4 : 2; round > 0; round--) {
                v0 += v1;
                v2 += v3;
                v1 = Long.rotateLeft(v1, 13) ^ v0;
                v3 = Long.rotateLeft(v3, 16) ^ v2;
                v0 = Long.rotateLeft(v0, 32) + v3;
                v2 += v1;
                v3 = Long.rotateLeft(v3, 21) ^ v0;
                v1 = Long.rotateLeft(v1, 17) ^ v2;
                v2 = Long.rotateLeft(v2, 32);
            }
            if (!finishing) {
                v0 ^= word;
            }
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }
}
