package io.ballast.core.net;

import static io.ballast.core.net.IpAddress.IPV4_BITS;
import static io.ballast.core.net.IpAddress.IPV6_BITS;

import io.ballast.core.Checks;

/**
 * A network: the addresses of one family that begin with the same bits (RFC 4632, RFC 4291 section 2.3).
 *
 * <p>A network of IPv4-mapped addresses is an IPv4 network. Any other IPv6 network contains only IPv6
 * addresses: {@code ::/0} contains no IPv4 address.
 *
 * @param network its first address
 * @param length the number of leading bits that its addresses have in common: 0 to 32 for IPv4, 0 to 128 for
 *     IPv6
 */
public record Cidr(IpAddress network, int length) {

    static final String EXPECTED = "a network such as 192.0.2.0/24 or 2001:db8::/32, or one address";

    public Cidr {
        Checks.between(length, 0, network.isIpv4() ? IPV4_BITS : IPV6_BITS, "length");
        IpAddress first = clearHostBits(network, length);
        Checks.that(first.equals(network), "cidr", network + "/" + length, first + "/" + length);
    }

    /**
     * Parses a network. A text without a prefix length is a single address.
     *
     * @throws IllegalArgumentException if the text is invalid or a host bit is not 0; the message contains the
     *     text and the expected form
     */
    public static Cidr parse(String text) {
        Cidr network = parseLeniently(text);
        int slash = text.indexOf('/');
        IpAddress written = IpAddress.of(AddressText.parse(slash < 0 ? text : text.substring(0, slash)));
        Checks.that(network.network.equals(written), "cidr", text, network + ", because the host bits must be zero");
        return network;
    }

    /**
     * Parses a network like {@link #parse}, but sets host bits to 0: 192.0.2.7/24 is 192.0.2.0/24.
     *
     * @throws IllegalArgumentException if the text is invalid; the message contains the text and the expected
     *     form
     */
    public static Cidr parseLeniently(String text) {
        int slash = text.indexOf('/');
        byte[] bytes = AddressText.parse(slash < 0 ? text : text.substring(0, slash));
        int written = slash < 0 ? bytes.length * 8 : length(text.substring(slash + 1));
        Checks.that(bytes.length > 0 && written >= 0 && written <= bytes.length * 8, "cidr", text, EXPECTED);
        IpAddress address = IpAddress.of(bytes);
        boolean mapped = bytes.length == 16 && address.isIpv4();
        int length = mapped ? written - (IPV6_BITS - IPV4_BITS) : written;
        Checks.that(length >= 0, "cidr", text, "a length of at least 96 for IPv4-mapped addresses");
        return new Cidr(clearHostBits(address, length), length);
    }

    /** Returns whether the network contains the address. */
    public boolean contains(IpAddress address) {
        return address.isIpv4() == network.isIpv4()
                && clearHostBits(address, length).equals(network);
    }

    /** Returns the last address of the network. */
    IpAddress last() {
        int free = (network.isIpv4() ? IPV4_BITS : IPV6_BITS) - length;
        return new IpAddress(network.high() | ~highMask(free), network.low() | ~lowMask(free));
    }

    /** Returns the address with all bits after the first {@code length} bits set to 0. */
    private static IpAddress clearHostBits(IpAddress address, int length) {
        int free = (address.isIpv4() ? IPV4_BITS : IPV6_BITS) - length;
        return new IpAddress(address.high() & highMask(free), address.low() & lowMask(free));
    }

    private static long highMask(int free) {
        return free <= 64 ? -1 : free == IPV6_BITS ? 0 : -1L << (free - 64);
    }

    private static long lowMask(int free) {
        return free >= 64 ? 0 : -1L << free;
    }

    /** Parses a prefix length; negative if the text is not a number. */
    private static int length(String text) {
        int digits = text.length();
        if (digits == 0 || digits > 3 || (digits > 1 && text.charAt(0) == '0')) {
            return -1;
        }
        int length = 0;
        for (int i = 0; i < digits; i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                return -1;
            }
            length = 10 * length + digit - '0';
        }
        return length;
    }

    @Override
    public String toString() {
        return network + "/" + length;
    }
}
