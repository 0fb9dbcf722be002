package io.ballast.dns.forward;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.CidrSet;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.forward.DnsClientSubnetConfig;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.forward.question.QuerySubnet;
import io.ballast.dns.wire.EdnsSubnet;
import java.util.stream.Stream;

/**
 * Determines the client subnet option in queries to resolvers (<a
 * href="https://datatracker.ietf.org/doc/html/rfc7871">RFC 7871</a>).
 *
 * <p>Thread safety: immutable. Cost: at most one lookup in a set of networks; allocates nothing.
 */
public final class SubnetPolicy {

    private static final int IPV6_BYTES = 16;

    /**
     * Networks from whose addresses a remote resolver cannot derive the client's location: private networks, "this
     * host", multicast and reserved networks.
     */
    private static final CidrSet NON_PUBLIC = CidrSet.of(Stream.concat(
                    DnsForwardConfig.PRIVATE_NETWORKS.stream(),
                    Stream.of("0.0.0.0/8", "224.0.0.0/3", "::", "ff00::/8").map(Cidr::parse))
            .toList());

    private final DnsClientSubnetConfig config;

    SubnetPolicy(DnsClientSubnetConfig config) {
        this.config = config;
    }

    /**
     * Determines the subnet for a query.
     *
     * @param clientOption the option in the client's query, if any
     * @param isTrusted whether the client's address is trusted; a request for privacy (source prefix 0) is always
     *     honored (RFC 7871 section 7.1.2)
     * @param high the upper half of the client's address, in the form of {@link IpAddress}
     * @param low the lower half of the client's address
     * @param result object into which the subnet is written
     */
    public void selectSubnet(EdnsSubnet clientOption, boolean isTrusted, long high, long low, QuerySubnet result) {
        if (clientOption.isPresent() && !clientOption.hasAddress()) {
            result.setOptOut();
        } else if (clientOption.isPresent() && isTrusted) {
            long optionHigh = IpAddress.high(clientOption.bytes(), clientOption.length());
            long optionLow = IpAddress.low(clientOption.bytes(), clientOption.length());
            if (clientOption.length() == IPV6_BYTES && IpAddress.isIpv4(optionHigh, optionLow)) {
                result.setNone(); // the option says IPv6, but contains an IPv4-mapped address
            } else {
                setNetwork(optionHigh, optionLow, clientOption.sourceBits(), /* isFromOption= */ true, result);
            }
        } else {
            setNetwork(high, low, DnsClientSubnetConfig.MAX_IPV6_BITS, /* isFromOption= */ false, result);
        }
    }

    private void setNetwork(long high, long low, int bits, boolean isFromOption, QuerySubnet result) {
        if (!config.sendsPrivate() && NON_PUBLIC.contains(high, low)) {
            result.setNone();
            return;
        }
        int max = IpAddress.isIpv4(high, low) ? config.ipv4Bits() : config.ipv6Bits();
        if (max == 0) {
            result.setOptOut();
        } else {
            result.setNetwork(high, low, Math.min(bits, max), /* isLongest= */ bits >= max, isFromOption);
        }
    }

    /**
     * Returns the subnet that is sent for a client address, in configuration syntax; "none" if no subnet is
     * sent.
     */
    String describe(IpAddress address) {
        QuerySubnet result = new QuerySubnet();
        setNetwork(
                address.high(), address.low(), DnsClientSubnetConfig.MAX_IPV6_BITS, /* isFromOption= */ false, result);
        return result.toSubnet().toString();
    }
}
