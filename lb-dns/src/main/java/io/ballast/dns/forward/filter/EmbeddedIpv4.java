package io.ballast.dns.forward.filter;

/**
 * Extracts IPv4 addresses that are embedded in IPv6 addresses, and to which a translator or a tunnel sends
 * packets: NAT64 (RFC 6052, the well-known prefix {@code 64:ff9b::/96}), 6to4 ({@code 2002::/16}, RFC 3056),
 * Teredo ({@code 2001::/32}, RFC 4380, the client's address) and IPv4-compatible addresses ({@code ::/96},
 * RFC 4291). IPv4-mapped addresses already count as IPv4 addresses.
 *
 * <p>Addresses have the form of {@link io.ballast.core.net.IpAddress}. Allocates nothing.
 */
final class EmbeddedIpv4 {

    private static final long NAT64 = 0x0064_FF9B_0000_0000L;
    private static final long SIX_TO_FOUR = 0x2002;
    private static final long TEREDO = 0x2001_0000;
    private static final long IPV4 = 0xFFFF_0000_0000L;
    private static final long LOW_BITS = 0xFFFF_FFFFL;

    private EmbeddedIpv4() {}

    static boolean isPresent(long high, long low) {
        boolean isInLowBits = low >>> Integer.SIZE == 0;
        return (isInLowBits && (high == NAT64 || high == 0))
                || high >>> 48 == SIX_TO_FOUR
                || high >>> Integer.SIZE == TEREDO;
    }

    /** Returns the lower half of the IPv4 address that is embedded in an IPv6 address; its upper half is 0. */
    static long extract(long high, long low) {
        if (high >>> 48 == SIX_TO_FOUR) {
            return IPV4 | (high >>> 16 & LOW_BITS);
        }
        boolean isInverted = high >>> Integer.SIZE == TEREDO;
        return IPV4 | ((isInverted ? ~low : low) & LOW_BITS);
    }
}
