package io.ballast.core.net;

import io.ballast.core.Checks;

/**
 * An IPv4 or IPv6 address. An IPv4-mapped IPv6 address ({@code ::ffff:a.b.c.d}, RFC 4291 section 2.5.5.2) is
 * always treated as the IPv4 address, because a dual-stack socket reports IPv4 clients in this form.
 *
 * @param high the first 64 bits of the IPv6 form; 0 for IPv4
 * @param low the last 64 bits of the IPv6 form; for IPv4 {@code 0xffff} followed by the address
 */
public record IpAddress(long high, long low) {

    static final int IPV4_BITS = 32;
    static final int IPV6_BITS = 128;
    private static final long MAPPED = 0xFFFF;

    /**
     * Returns the address with these 4 or 16 bytes in network order.
     *
     * @throws IllegalArgumentException for any other number of bytes
     */
    public static IpAddress of(byte[] bytes) {
        return new IpAddress(high(bytes), low(bytes));
    }

    /**
     * Parses an address: dotted decimal without leading zeros, or any form of RFC 4291 section 2.2 without a
     * zone.
     *
     * @throws IllegalArgumentException if the text is invalid; the message contains the text and the expected
     *     form
     */
    public static IpAddress parse(String text) {
        byte[] bytes = AddressText.parse(text);
        Checks.that(bytes.length > 0, "address", text, AddressText.EXPECTED);
        return of(bytes);
    }

    static IpAddress ofIpv4(int bits) {
        return new IpAddress(0, MAPPED << IPV4_BITS | Integer.toUnsignedLong(bits));
    }

    public boolean isIpv4() {
        return isIpv4(high, low);
    }

    /** Whether the two halves represent an IPv4 address. */
    public static boolean isIpv4(long high, long low) {
        return high == 0 && low >>> IPV4_BITS == MAPPED;
    }

    static long high(byte[] bytes) {
        return high(bytes, bytes.length);
    }

    static long low(byte[] bytes) {
        return low(bytes, bytes.length);
    }

    /** Returns the upper half of the address in the first {@code length} bytes (4 or 16). Allocates nothing. */
    public static long high(byte[] bytes, int length) {
        return length == 4 ? 0 : bits(bytes, 0, length);
    }

    /** Returns the lower half of the address in the first {@code length} bytes (4 or 16). Allocates nothing. */
    public static long low(byte[] bytes, int length) {
        if (length != 4) {
            return bits(bytes, 8, length);
        }
        long bits = MAPPED;
        for (int i = 0; i < length; i++) {
            bits = (bits << 8) | (bytes[i] & 0xFF);
        }
        return bits;
    }

    private static long bits(byte[] bytes, int from, int length) {
        Checks.that(length == 16, "bytes", length, "4 or 16");
        long bits = 0;
        for (int i = from; i < from + 8; i++) {
            bits = (bits << 8) | (bytes[i] & 0xFF);
        }
        return bits;
    }

    /** Returns the 4 or 16 bytes of the address in network order. */
    public byte[] bytes() {
        byte[] bytes = new byte[isIpv4() ? 4 : 16];
        for (int i = 0; i < bytes.length; i++) {
            int bits = 8 * (bytes.length - 1 - i);
            bytes[i] = (byte) (bits < 64 ? low >>> bits : high >>> (bits - 64));
        }
        return bytes;
    }

    /** Returns dotted decimal notation for IPv4, and the notation of RFC 5952 for IPv6. */
    @Override
    public String toString() {
        return isIpv4() ? AddressText.ofIpv4((int) low) : AddressText.ofIpv6(high, low);
    }
}
