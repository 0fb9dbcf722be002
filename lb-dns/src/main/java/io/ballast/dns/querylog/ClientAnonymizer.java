package io.ballast.dns.querylog;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.DnsQueryLogConfig.Clients;
import java.util.Arrays;

/**
 * Reduces a client address for logging. An anonymized address is cut to its network, /24 for IPv4 and /48 for IPv6:
 * at most the part that resolvers should forward (<a
 * href="https://datatracker.ietf.org/doc/html/rfc7871#section-11.1">RFC 7871 section 11.1</a>).
 */
final class ClientAnonymizer {

    static final int MAX_BYTES = 16;

    private static final int IPV4_BYTES = 4;
    private static final int IPV4_NETWORK_BYTES = 3;
    private static final int IPV6_NETWORK_BYTES = 6;

    private final Clients clients;

    ClientAnonymizer(Clients clients) {
        this.clients = clients;
    }

    /** The address as text; "" if it must not be logged. */
    String anonymizedText(byte[] bytes, int length) {
        int loggedBytes = anonymize(bytes, length);
        return loggedBytes == 0
                ? ""
                : IpAddress.of(Arrays.copyOf(bytes, loggedBytes)).toString();
    }

    /** Zeroes the bytes of {@code bytes} that must not be logged; returns the remaining length, 0 for no address. */
    int anonymize(byte[] bytes, int length) {
        return switch (clients) {
            case FULL -> length;
            case NONE -> 0;
            case ANONYMOUS -> {
                Arrays.fill(bytes, length == IPV4_BYTES ? IPV4_NETWORK_BYTES : IPV6_NETWORK_BYTES, length, (byte) 0);
                yield length;
            }
        };
    }
}
