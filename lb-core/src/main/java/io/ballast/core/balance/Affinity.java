package io.ballast.core.balance;

import io.ballast.core.Checks;

/**
 * Converts client addresses to affinity keys ({@link PickContext#affinity}). Addresses in the same network
 * have equal keys; the keys of different networks are well mixed. An IPv4 address has the same key in each of
 * its forms, including IPv4-mapped IPv6.
 *
 * <p>Allocates nothing. The keys are the same in all releases and on all machines.
 *
 * @param ipv4Prefix number of leading bits of an IPv4 address that are used
 * @param ipv6Prefix number of leading bits of an IPv6 address that are used
 */
public record Affinity(int ipv4Prefix, int ipv6Prefix) {

    /** Uses the whole IPv4 address, and the /64 network of an IPv6 address, which is one household or host. */
    public static final Affinity DEFAULT = new Affinity(32, 64);

    private static final long IPV4 = Hash64.mix(4);
    private static final long IPV6 = Hash64.mix(6);

    public Affinity {
        Checks.between(ipv4Prefix, 0, 32, "ipv4Prefix");
        Checks.between(ipv6Prefix, 0, 128, "ipv6Prefix");
    }

    /** The key of an IPv4 address, given as a big-endian number: {@code 10.0.0.1} is {@code 0x0A000001}. */
    public long ofIpv4(int address) {
        return Hash64.mix(IPV4, Integer.toUnsignedLong(address) & leading(ipv4Prefix + 32));
    }

    /** The key of an IPv6 address, given as its upper and lower 64 bits. */
    public long ofIpv6(long high, long low) {
        if (high == 0 && low >>> 32 == 0xFFFF) {
            return ofIpv4((int) low);
        }
        long upper = high & leading(Math.min(ipv6Prefix, 64));
        long lower = low & leading(Math.max(ipv6Prefix - 64, 0));
        return Hash64.mix(Hash64.mix(IPV6, upper), lower);
    }

    /** The key of an address in network order: 4 or 16 bytes. */
    public long of(byte[] address) {
        return of(address, 0, address.length);
    }

    /**
     * Returns the affinity key of the address in {@code buffer[offset, offset + length)}, in network byte order;
     * {@code length} is 4 or 16.
     */
    public long of(byte[] buffer, int offset, int length) {
        Checks.that(length == 4 || length == 16, "address length", length, "4 or 16");
        if (length == 4) {
            return ofIpv4((int) number(buffer, offset, 4));
        }
        return ofIpv6(number(buffer, offset, 8), number(buffer, offset + 8, 8));
    }

    private static long number(byte[] buffer, int offset, int length) {
        long number = 0;
        for (int i = offset; i < offset + length; i++) {
            number = (number << 8) | (buffer[i] & 0xFF);
        }
        return number;
    }

    /** Returns a 64-bit mask whose first {@code bits} bits are set. */
    private static long leading(int bits) {
        return bits == 0 ? 0 : -1L << (64 - bits);
    }
}
