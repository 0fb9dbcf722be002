package io.ballast.dns.config;

import io.ballast.core.Checks;
import io.ballast.net.config.ClientLimits;
import java.time.Duration;

/**
 * The limits of DNS connections, encrypted or not. Times are measured by a coarse clock and may be exceeded
 * by up to 250 ms.
 *
 * @param idle the idle timeout of a connection (<a
 *     href="https://datatracker.ietf.org/doc/html/rfc7766#section-6.2.3">RFC 7766 section 6.2.3</a>)
 * @param message the time limit for receiving a message, a TLS handshake or a proxy header, and for a client
 *     to read responses
 * @param connections the maximum number of open connections; if it is exceeded, the connection that has been
 *     idle longest is closed
 * @param connectionsPerClient the maximum number of open connections of one client; further connections are
 *     closed; 0 for no limit
 * @param ipv6PrefixBits the number of leading bits of an IPv6 address that identify a client
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
