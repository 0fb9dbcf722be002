package io.ballast.config.keys.dns;

import static io.ballast.dns.config.DnsTcpConfig.DEFAULT;

import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.net.config.ClientLimits;
import java.time.Duration;

/** The keys of {@code dns.tcp}. */
final class DnsTcpKeys {

    private static final ShapeBuilder<DnsTcpConfig> KEYS =
            Shape.named("dns_tcp", "Limits for client connections: TCP, DoT and DoH.");

    private static final Key<Duration> IDLE = KEYS.optional(
            "idle",
            Durations.DURATION,
            DEFAULT.idle(),
            "how long a connection stays open without a query",
            DnsTcpConfig::idle);
    private static final Key<Duration> MESSAGE = KEYS.optional(
            "message",
            Durations.DURATION,
            DEFAULT.message(),
            "timeout for a message, a TLS handshake or a PROXY header once it has begun, and how"
                    + " long responses wait for a client that does not read them",
            DnsTcpConfig::message);
    private static final Key<Integer> CONNECTIONS = KEYS.optional(
            "connections",
            Scalars.integer(1, Integer.MAX_VALUE),
            DEFAULT.connections(),
            "maximum number of open connections; above it, the connection that has been idle longest is closed",
            DnsTcpConfig::connections);
    private static final Key<Integer> CONNECTIONS_PER_CLIENT = KEYS.optional(
            "connections_per_client",
            Scalars.integer(0, Integer.MAX_VALUE),
            DEFAULT.connectionsPerClient(),
            "maximum number of open connections of one client; above it new ones are closed; 0 for no limit",
            DnsTcpConfig::connectionsPerClient);
    private static final Key<Integer> CLIENT_IPV6_PREFIX = KEYS.optional(
            "client_ipv6_prefix",
            Scalars.integer(ClientLimits.MIN_IPV6_PREFIX, ClientLimits.MAX_IPV6_PREFIX),
            DEFAULT.ipv6PrefixBits(),
            "prefix length that identifies a client by its IPv6 address",
            DnsTcpConfig::ipv6PrefixBits);

    static final Type<DnsTcpConfig> TCP = KEYS.build(values -> new DnsTcpConfig(
            values.get(IDLE),
            values.get(MESSAGE),
            values.get(CONNECTIONS),
            values.get(CONNECTIONS_PER_CLIENT),
            values.get(CLIENT_IPV6_PREFIX)));

    private DnsTcpKeys() {}
}
