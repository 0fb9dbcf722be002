package io.ballast.dns.config.forward;

import io.ballast.core.Checks;

/**
 * The part of client addresses that is sent to resolvers (<a
 * href="https://datatracker.ietf.org/doc/html/rfc7871">RFC 7871</a>).
 *
 * @param ipv4Bits leading bits of an IPv4 address, 0 to 32; with 0, no address is sent, and resolvers are
 *     asked not to send one either
 * @param ipv6Bits leading bits of an IPv6 address, 0 to 128; with 0, no address is sent, and resolvers are
 *     asked not to send one either
 * @param sendsPrivate whether addresses in private networks are also sent
 */
public record DnsClientSubnetConfig(int ipv4Bits, int ipv6Bits, boolean sendsPrivate) {

    public static final int MAX_IPV4_BITS = 32;
    public static final int MAX_IPV6_BITS = 128;

    /** The prefix lengths that RFC 7871 section 11.1 recommends. */
    public static final DnsClientSubnetConfig DEFAULT =
            new DnsClientSubnetConfig(/* ipv4Bits= */ 24, /* ipv6Bits= */ 56, /* sendsPrivate= */ false);

    public DnsClientSubnetConfig {
        Checks.between(ipv4Bits, 0, MAX_IPV4_BITS, "ipv4Bits");
        Checks.between(ipv6Bits, 0, MAX_IPV6_BITS, "ipv6Bits");
    }
}
