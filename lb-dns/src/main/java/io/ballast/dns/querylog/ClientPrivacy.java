package io.ballast.dns.querylog;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.DnsQueryLogConfig.Clients;
import java.util.Arrays;

/**
 * What of a client's address is told: of an anonymous one the network, /24 for IPv4 and /48 for IPv6, as resolvers pass it on at
 * most (<a href="https://datatracker.ietf.org/doc/html/rfc7871#section-11.1">RFC 7871 section 11.1</a>).
 */
final class ClientPrivacy {

    static final int MOST_OCTETS = 16;

    private static final int IPV4_OCTETS = 4;
    private static final int IPV4_NETWORK = 3;
    private static final int IPV6_NETWORK = 6;

    private final Clients clients;

    ClientPrivacy(Clients clients) {
        this.clients = clients;
    }

    /** An address in text; "" if it is not told. */
    String text(byte[] octets, int length) {
        int told = apply(octets, length);
        return told == 0 ? "" : IpAddress.of(Arrays.copyOf(octets, told)).toString();
    }

    /** Takes out of {@code octets} what is not told; returns how many are left, 0 if the address is not told. */
    int apply(byte[] octets, int length) {
        return switch (clients) {
            case FULL -> length;
            case NONE -> 0;
            case ANONYMOUS -> {
                Arrays.fill(octets, length == IPV4_OCTETS ? IPV4_NETWORK : IPV6_NETWORK, length, (byte) 0);
                yield length;
            }
        };
    }
}
