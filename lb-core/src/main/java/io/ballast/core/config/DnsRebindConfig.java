package io.ballast.core.config;

import io.ballast.core.net.Cidr;
import java.util.List;

/**
 * Addresses that resolvers may not give for names of the internet: a page from there would otherwise reach devices that only the
 * client can (DNS rebinding).
 *
 * @param allow names, each with all below it, that may have such addresses; in lower case without a final dot
 * @param networks the addresses
 */
public record DnsRebindConfig(List<String> allow, List<Cidr> networks) {

    /**
     * Of this host, private, shared and link-local; those of IPv4 also as NAT64 writes them (RFC 6052). IPv4-mapped ones are the
     * IPv4 addresses.
     */
    public static final List<Cidr> INSIDE = List.of(
            Cidr.parse("0.0.0.0/8"),
            Cidr.parse("10.0.0.0/8"),
            Cidr.parse("100.64.0.0/10"),
            Cidr.parse("127.0.0.0/8"),
            Cidr.parse("169.254.0.0/16"),
            Cidr.parse("172.16.0.0/12"),
            Cidr.parse("192.168.0.0/16"),
            Cidr.parse("::/127"),
            Cidr.parse("64:ff9b::a00:0/104"),
            Cidr.parse("64:ff9b::7f00:0/104"),
            Cidr.parse("64:ff9b::a9fe:0/112"),
            Cidr.parse("64:ff9b::ac10:0/108"),
            Cidr.parse("64:ff9b::c0a8:0/112"),
            Cidr.parse("fc00::/7"),
            Cidr.parse("fe80::/10"),
            Cidr.parse("fec0::/10"));

    public DnsRebindConfig {
        allow = List.copyOf(allow);
        networks = List.copyOf(networks);
    }
}
