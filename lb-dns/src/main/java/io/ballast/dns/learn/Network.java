package io.ballast.dns.learn;

/**
 * Encodes client networks as numbers: the first 24 bits of an IPv4 address or the first 48 bits of an IPv6 address in
 * the upper bits, and the address family in the lowest bit.
 */
public final class Network {

    public static final int IPV4_BITS = 24;
    public static final int IPV6_BITS = 48;

    private Network() {}

    /** @param leadingBits first 64 bits of the address; an IPv4 address is in the upper half */
    public static long of(boolean ipv4, long leadingBits) {
        int bits = ipv4 ? IPV4_BITS : IPV6_BITS;
        return (leadingBits & (-1L << (64 - bits))) | (ipv4 ? 1 : 0);
    }
}
