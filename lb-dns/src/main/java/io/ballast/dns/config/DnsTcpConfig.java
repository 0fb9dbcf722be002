package io.ballast.dns.config;

import io.ballast.core.Checks;
import io.ballast.net.config.ClientLimits;
import java.time.Duration;

/**
 * What clients of DNS may use up that come by connections, encrypted or not. Times are kept by a coarse clock: each may
 * be exceeded by up to a quarter of a second.
 *
 * @param idle how long a connection stays without a query (<a
 *     href="https://datatracker.ietf.org/doc/html/rfc7766#section-6.2.3">RFC 7766 section 6.2.3</a>)
 * @param message how long a message that has begun, a TLS handshake or the header of a proxy may take to come whole, and
 *     how long responses may wait for a client that does not take them
 * @param connections most open connections; beyond it the one that was idle for longest is closed
 * @param connectionsPerClient most open connections of one client; beyond it new ones are closed; 0 for no limit
 * @param ipv6PrefixBits how many leading bits of an IPv6 address make a client
 */
public record DnsTcpConfig(
        Duration idle, Duration message, int connections, int connectionsPerClient, int ipv6PrefixBits) {

    public static final DnsTcpConfig DEFAULT =
            new DnsTcpConfig(Duration.ofSeconds(10), Duration.ofSeconds(5), 1000, 100, 64);

    public DnsTcpConfig {
        Checks.positive(idle, "idle");
        Checks.positive(message, "message");
        Checks.positive(connections, "connections");
        Checks.atLeast(connectionsPerClient, 0, "connections_per_client");
        Checks.between(
                ipv6PrefixBits, ClientLimits.MIN_IPV6_PREFIX, ClientLimits.MAX_IPV6_PREFIX, "client_ipv6_prefix");
    }
}
