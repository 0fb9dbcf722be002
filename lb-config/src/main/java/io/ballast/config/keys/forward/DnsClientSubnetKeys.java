package io.ballast.config.keys.forward;

import static io.ballast.dns.config.forward.DnsClientSubnetConfig.DEFAULT;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.dns.config.forward.DnsClientSubnetConfig;
import java.util.Optional;

/**
 * The keys of {@code client_subnet} in {@code dns.forward} and in its routes. The value is a mapping or a
 * boolean.
 */
final class DnsClientSubnetKeys {

    private static final ShapeBuilder<DnsClientSubnetConfig> KEYS = Shape.named(
            "dns_client_subnet",
            "EDNS Client Subnet (RFC 7871): the client's network that is sent to resolvers. `true` uses"
                    + " the defaults, `false` sends none.");

    private static final Key<Integer> IPV4 = KEYS.optional(
            "ipv4",
            Scalars.integer(0, DnsClientSubnetConfig.MAX_IPV4_BITS),
            DEFAULT.ipv4Bits(),
            "maximum prefix length sent for IPv4 clients; 0 asks resolvers not to use the client's address",
            DnsClientSubnetConfig::ipv4Bits);
    private static final Key<Integer> IPV6 = KEYS.optional(
            "ipv6",
            Scalars.integer(0, DnsClientSubnetConfig.MAX_IPV6_BITS),
            DEFAULT.ipv6Bits(),
            "maximum prefix length sent for IPv6 clients; 0 asks resolvers not to use the client's address",
            DnsClientSubnetConfig::ipv6Bits);
    private static final Key<Boolean> PRIVATE = KEYS.optional(
            "private",
            Scalars.BOOLEAN,
            DEFAULT.sendsPrivate(),
            "whether loopback, private and other non-global networks are also sent; use only with your own resolvers",
            DnsClientSubnetConfig::sendsPrivate);

    private static final Shape<DnsClientSubnetConfig> SHAPE = KEYS.build(DnsClientSubnetKeys::build);

    /** The client subnet configuration; absent if no client subnet is sent. */
    static final Type<Optional<DnsClientSubnetConfig>> CLIENT_SUBNET = new BriefType<>(
            Scalars.BOOLEAN.map(isEnabled -> isEnabled ? Optional.of(DEFAULT) : Optional.empty(), Optional::isPresent),
            SHAPE.map(Optional::of, Optional::orElseThrow),
            Optional::isEmpty);

    private DnsClientSubnetKeys() {}

    private static DnsClientSubnetConfig build(Values values) {
        return new DnsClientSubnetConfig(values.get(IPV4), values.get(IPV6), values.get(PRIVATE));
    }
}
