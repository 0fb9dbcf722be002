package io.ballast.config.keys.forward;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Networks;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.DnsTexts;
import io.ballast.core.net.Cidr;
import io.ballast.dns.config.forward.DnsRebindConfig;
import java.util.List;
import java.util.Optional;

/** The keys of {@code dns.forward.rebind}, which is a mapping or a boolean. */
final class DnsRebindKeys {

    private static final DnsRebindConfig DEFAULT = new DnsRebindConfig(List.of(), DnsRebindConfig.DEFAULT_NETWORKS);

    private static final ShapeBuilder<DnsRebindConfig> KEYS = Shape.named(
            "dns_rebind",
            "Protection against DNS rebinding, which a web page could use to reach servers in its visitor's"
                    + " network: answers from resolvers with internal addresses are withheld. `true` uses the defaults,"
                    + " `false` allows every address.");

    private static final Key<List<String>> ALLOW = KEYS.optional(
            "allow",
            ListType.of(DnsTexts.ABSOLUTE).unique("name", name -> name),
            List.of(),
            "domains, including all names below them, whose answers may contain such addresses",
            DnsRebindConfig::allow);
    private static final Key<List<Cidr>> NETWORKS = KEYS.optional(
            "networks",
            ListType.atLeastOne(Networks.NETWORK).unique("network", network -> network),
            DnsRebindConfig.DEFAULT_NETWORKS,
            "addresses to withhold; default: loopback, unspecified, private, shared, link-local and local"
                    + " NAT64 addresses. An IPv4 network also covers IPv6 addresses that contain one of its"
                    + " addresses (IPv4-mapped, NAT64, 6to4, Teredo)",
            DnsRebindConfig::networks);

    /** The rebinding protection; empty if answers may contain any address. */
    static final Type<Optional<DnsRebindConfig>> REBIND = new BriefType<>(
            Scalars.BOOLEAN.map(on -> on ? Optional.of(DEFAULT) : Optional.empty(), Optional::isPresent),
            KEYS.build(values -> new DnsRebindConfig(values.get(ALLOW), values.get(NETWORKS)))
                    .map(Optional::of, Optional::orElseThrow),
            Optional::isEmpty);

    private DnsRebindKeys() {}
}
