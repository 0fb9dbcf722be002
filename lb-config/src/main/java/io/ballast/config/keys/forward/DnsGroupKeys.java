package io.ballast.config.keys.forward;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Networks;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.OneOrMore;
import io.ballast.core.net.Cidr;
import io.ballast.dns.config.forward.DnsClientGroup;
import io.ballast.dns.config.forward.DnsClientGroup.Filter;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of {@code dns.forward.groups[]}. */
final class DnsGroupKeys {

    private static final ShapeBuilder<DnsClientGroup> KEYS = Shape.named(
            "dns_group",
            "Clients with their own filter settings. If several groups contain an address, the one with the"
                    + " longest prefix is used; `default` is the group of all other clients.");

    private static final Key<String> NAME = KEYS.required(
            "name",
            Scalars.matching(
                    "group name",
                    "1 to 50 letters, digits, -, _ and ., but not " + DnsClientGroup.DEFAULT_NAME,
                    "(?!" + DnsClientGroup.DEFAULT_NAME + "$)[A-Za-z0-9_.-]{1,50}"),
            "name of the group in logs, metrics and the API",
            DnsClientGroup::name);
    private static final Key<List<Cidr>> CLIENTS = KEYS.required(
            "clients",
            OneOrMore.of(Networks.NETWORK, "network"),
            "networks of the group's clients",
            DnsClientGroup::clients);
    private static final Key<Optional<Filter>> FILTER = KEYS.optional(
            "filter",
            new BriefType<>(
                    Scalars.choice(Map.of("off", Optional.<Filter>empty()), off -> "off"),
                    DnsGroupFilterKeys.FILTER.map(Optional::of, Optional::orElseThrow),
                    Optional::isEmpty),
            Optional.of(Filter.ALL),
            "filter settings of the group; off: no list applies to it",
            DnsClientGroup::filter);

    static final Type<DnsClientGroup> GROUP =
            KEYS.build(values -> new DnsClientGroup(values.get(NAME), values.get(CLIENTS), values.get(FILTER)));

    private DnsGroupKeys() {}
}
