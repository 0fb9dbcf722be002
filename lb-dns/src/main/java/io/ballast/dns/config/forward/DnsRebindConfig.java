package io.ballast.dns.config.forward;

import io.ballast.core.net.Cidr;
import java.util.List;

/**
 * Protection against DNS rebinding: addresses that resolvers must not return for internet names. Without it, a web page
 * from the internet could reach devices that only the client can reach.
 *
 * @param allow names for which resolvers may return such addresses, each with all names below it; in lower case without
 *     a final dot
 * @param networks the addresses; an IPv4 network also covers IPv6 addresses that contain one of its addresses
 *     (IPv4-mapped and IPv4-compatible addresses, NAT64, 6to4, Teredo)
 */
public record DnsRebindConfig(List<String> allow, List<Cidr> networks) {

    /**
     * The networks of this host, the private, shared and link-local networks, and the networks of local NAT64
     * translators (RFC 8215).
     */
    public static final List<Cidr> DEFAULT_NETWORKS = List.of(
            Cidr.parse("0.0.0.0/8"),
            Cidr.parse("10.0.0.0/8"),
            Cidr.parse("100.64.0.0/10"),
            Cidr.parse("127.0.0.0/8"),
            Cidr.parse("169.254.0.0/16"),
            Cidr.parse("172.16.0.0/12"),
            Cidr.parse("192.168.0.0/16"),
            Cidr.parse("::/127"),
            Cidr.parse("64:ff9b:1::/48"),
            Cidr.parse("fc00::/7"),
            Cidr.parse("fe80::/10"),
            Cidr.parse("fec0::/10"));

    public DnsRebindConfig {
        allow = List.copyOf(allow);
        networks = List.copyOf(networks);
    }
}
