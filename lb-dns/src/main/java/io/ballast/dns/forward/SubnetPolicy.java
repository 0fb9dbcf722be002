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
 * The client subnet option in queries to resolvers (<a href="https://datatracker.ietf.org/doc/html/rfc7871">RFC 7871</a>).
 *
 * <p>Thread safety: immutable. Cost: at most one lookup in a set of networks; allocates nothing.
 */
public final class SubnetPolicy {

    private static final int IPV6_BYTES = 16;

    /** Networks without meaning for a remote resolver: those of "this host", multicast and reserved networks. */
    private static final CidrSet NOT_PUBLIC = CidrSet.of(Stream.concat(
                    DnsForwardConfig.PRIVATE.stream(),
                    Stream.of("0.0.0.0/8", "224.0.0.0/3", "::", "ff00::/8").map(Cidr::parse))
            .toList());

    private final DnsClientSubnetConfig config;

    SubnetPolicy(DnsClientSubnetConfig config) {
        this.config = config;
    }

    /**
     * Determines the subnet for a query.
     *
     * @param told the option in the client's query, if any
     * @param isTrusted whether the client's address is trusted; a request for privacy (source prefix 0) always is
     *     (section 7.1.2)
     * @param high the upper half of the client's address, in the form of {@link IpAddress}
     * @param low the lower half
     * @param asked receives the result
     */
    public void ask(EdnsSubnet told, boolean isTrusted, long high, long low, QuerySubnet asked) {
        if (told.isPresent() && !told.hasAddress()) {
            asked.optOut();
        } else if (told.isPresent() && isTrusted) {
            long toldHigh = IpAddress.high(told.bytes(), told.length());
            long toldLow = IpAddress.low(told.bytes(), told.length());
            if (told.length() == IPV6_BYTES && IpAddress.isIpv4(toldHigh, toldLow)) {
                asked.none(); // of one family in the form of the other
            } else {
                network(toldHigh, toldLow, told.sourceBits(), /* isAsTold= */ true, asked);
            }
        } else {
            network(high, low, DnsClientSubnetConfig.MAX_IPV6_BITS, /* isAsTold= */ false, asked);
        }
    }

    private void network(long high, long low, int bits, boolean isAsTold, QuerySubnet asked) {
        if (!config.tellsPrivate() && NOT_PUBLIC.contains(high, low)) {
            asked.none();
            return;
        }
        int max = IpAddress.isIpv4(high, low) ? config.ipv4Bits() : config.ipv6Bits();
        if (max == 0) {
            asked.optOut();
        } else {
            asked.network(high, low, Math.min(bits, max), /* isLongest= */ bits >= max, isAsTold);
        }
    }

    /** Returns the subnet for an address in the notation of configurations; "none" if there is none. */
    String describe(IpAddress address) {
        QuerySubnet asked = new QuerySubnet();
        network(address.high(), address.low(), DnsClientSubnetConfig.MAX_IPV6_BITS, /* isAsTold= */ false, asked);
        return asked.toSubnet().toString();
    }
}
