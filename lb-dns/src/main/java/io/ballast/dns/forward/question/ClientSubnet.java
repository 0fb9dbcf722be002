package io.ballast.dns.forward.question;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.wire.SubnetOption;

/**
 * The client subnet in a query to a resolver (<a href="https://datatracker.ietf.org/doc/html/rfc7871">RFC 7871</a>).
 *
 * <p>Thread safety: immutable.
 *
 * @param family {@link SubnetOption#IPV4}, {@link SubnetOption#IPV6}, or 0 for none
 * @param bits the prefix length
 * @param isLongestPrefix whether this is the longest prefix that is ever sent, so that longer scopes have no effect
 * @param high the upper half of the network's first address, in the form of {@link IpAddress}
 * @param low the lower half; the bits after the prefix are 0
 */
public record ClientSubnet(int family, int bits, boolean isLongestPrefix, long high, long low) {

    /** The scope of an answer if the response does not state its scope. */
    public static final int UNKNOWN_SCOPE = 255;

    /** No subnet: the resolver may use the address of this server. */
    public static final ClientSubnet NONE = new ClientSubnet(0, 0, /* isLongestPrefix= */ false, 0, 0);

    /** Tells the resolver to use no client address, for clients that request this (RFC 7871 section 7.1.2). */
    public static final ClientSubnet OPT_OUT = new ClientSubnet(
            SubnetOption.IPV4, 0, /* isLongestPrefix= */ false, 0, low(SubnetOption.IPV4, 0, 0xFFFFL << 32));

    private static final int IPV4_MAPPED_PREFIX_BITS = 96;

    /** Whether this specifies a network, that is, has a prefix length of at least one bit. */
    public boolean isNetwork() {
        return bits > 0;
    }

    /** Returns the network with a shorter prefix. */
    public ClientSubnet truncate(int prefixBits) {
        return new ClientSubnet(
                family,
                prefixBits,
                /* isLongestPrefix= */ false,
                high(family, prefixBits, high),
                low(family, prefixBits, low));
    }

    /** Returns the upper half of an address with all bits after the prefix set to 0. */
    static long high(int family, int bits, long high) {
        return family == SubnetOption.IPV4 ? 0 : high & prefixMask(bits);
    }

    /** Returns the lower half of an address with all bits after the prefix set to 0. */
    static long low(int family, int bits, long low) {
        return low & prefixMask((family == SubnetOption.IPV4 ? bits + IPV4_MAPPED_PREFIX_BITS : bits) - Long.SIZE);
    }

    private static long prefixMask(int bits) {
        if (bits <= 0) {
            return 0;
        }
        return bits >= Long.SIZE ? -1 : -1L << (Long.SIZE - bits);
    }

    /** Whether another network is equal to this network or inside it. */
    public boolean contains(int otherFamily, int otherBits, long otherHigh, long otherLow) {
        return family == otherFamily
                && bits <= otherBits
                && high == high(family, bits, otherHigh)
                && low == low(family, bits, otherLow);
    }

    /** Whether another network is equal to this network. */
    public boolean isSame(int otherFamily, int otherBits, long otherHigh, long otherLow) {
        return family == otherFamily && bits == otherBits && high == otherHigh && low == otherLow;
    }

    /** Returns the network in the notation of the configuration; "none" if no subnet is sent. */
    @Override
    public String toString() {
        return family == 0 ? "none" : new IpAddress(high, low) + "/" + bits;
    }
}
