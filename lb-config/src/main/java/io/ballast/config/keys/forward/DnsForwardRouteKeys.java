package io.ballast.config.keys.forward;

import io.ballast.config.key.Key;
import io.ballast.config.key.Networks;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.DnsTexts;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.config.keys.common.NameReference;
import io.ballast.config.keys.common.OneOrMore;
import io.ballast.core.net.Cidr;
import io.ballast.dns.config.forward.DnsClientSubnetConfig;
import io.ballast.dns.config.forward.DnsForwardConfig.Protocol;
import io.ballast.dns.config.forward.DnsForwardConfig.Route;
import java.util.List;
import java.util.Optional;

/** The keys of {@code dns.forward.routes[]}. */
final class DnsForwardRouteKeys {

    private static final ShapeBuilder<Route> KEYS =
            Shape.named("dns_route", "Other resolvers for the queries that match all given conditions.");

    private static final Key<List<String>> SUFFIX = KEYS.optional(
            "suffix",
            OneOrMore.of(DnsTexts.ABSOLUTE, "name"),
            "a domain, which also matches all names below it, or a list of them; any name by default",
            route -> nonEmpty(route.suffixes()));
    private static final Key<List<Cidr>> CLIENT = KEYS.optional(
            "client",
            OneOrMore.of(Networks.NETWORK, "network"),
            "a client network, or a list of them; every client by default",
            route -> nonEmpty(route.clients()));
    private static final Key<String> POOL = KEYS.required(
            "pool",
            NameReference.POOL,
            "the pool of the resolvers",
            route -> route.upstream().pool());
    private static final Key<Protocol> PROTOCOL = KEYS.optional(
            "protocol",
            EnumWords.of(Protocol.class),
            Protocol.UDP,
            UpstreamKeys.PROTOCOL,
            route -> route.upstream().protocol());
    private static final Key<String> PATH =
            KEYS.optional("path", UpstreamKeys.TARGET, UpstreamKeys.PATH, route -> UpstreamKeys.path(route.upstream()));
    private static final Key<Optional<DnsClientSubnetConfig>> CLIENT_SUBNET = KEYS.optional(
            "client_subnet",
            DnsClientSubnetKeys.CLIENT_SUBNET,
            Optional.empty(),
            UpstreamKeys.CLIENT_SUBNET,
            route -> route.upstream().clientSubnet());
    private static final Key<List<Integer>> EDNS_OPTIONS = KEYS.optional(
            "edns_options",
            UpstreamKeys.OPTION_CODES,
            UpstreamKeys.EDNS_OPTIONS,
            route -> UpstreamKeys.options(route.upstream()));

    static final Type<Route> ROUTE = KEYS.build(DnsForwardRouteKeys::build);

    private DnsForwardRouteKeys() {}

    private static <T> Optional<List<T>> nonEmpty(List<T> values) {
        return values.isEmpty() ? Optional.empty() : Optional.of(values);
    }

    private static Route build(Values values) {
        List<String> suffixes = values.find(SUFFIX).orElse(List.of());
        List<Cidr> clients = values.find(CLIENT).orElse(List.of());
        return new Route(
                suffixes, clients, UpstreamKeys.upstream(values, POOL, PROTOCOL, PATH, CLIENT_SUBNET, EDNS_OPTIONS));
    }
}
