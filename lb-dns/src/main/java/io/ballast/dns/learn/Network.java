package io.ballast.dns.learn;

/**
 * Networks of clients as numbers: the first 24 bits of an IPv4 address or the first 48 of an IPv6 address, as the upper
 * bits of a number whose lowest bit tells the family.
 */
public final class Network {

    public static final int IPV4_BITS = 24;
    public static final int IPV6_BITS = 48;

    private Network() {}

    /** @param leadingBits of the address, 64 of them; an IPv4 address stands in the upper half */
    public static long of(boolean ipv4, long leadingBits) {
        int bits = ipv4 ? IPV4_BITS : IPV6_BITS;
        return (leadingBits & (-1L << (64 - bits))) | (ipv4 ? 1 : 0);
    }
}
