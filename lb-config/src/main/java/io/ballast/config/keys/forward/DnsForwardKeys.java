package io.ballast.config.keys.forward;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Networks;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.config.keys.common.NameReference;
import io.ballast.core.net.Cidr;
import io.ballast.dns.config.forward.DnsCacheConfig;
import io.ballast.dns.config.forward.DnsClientGroup;
import io.ballast.dns.config.forward.DnsClientSubnetConfig;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsForwardConfig.Protocol;
import io.ballast.dns.config.forward.DnsForwardConfig.Route;
import io.ballast.dns.config.forward.DnsPolicyConfig;
import io.ballast.dns.config.forward.DnsRebindConfig;
import io.ballast.dns.config.forward.DnsValidationConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The keys of {@code dns.forward}, which is a mapping or the name of a pool. */
public final class DnsForwardKeys {

    private static final int MAX_OUTSTANDING = 1_000_000;

    private static final ShapeBuilder<DnsForwardConfig> KEYS = Shape.named(
            "dns_forward",
            "Resolvers for names outside the zones: the backends of a pool. The name of the pool can be given"
                    + " alone to use the defaults.");

    private static final Key<String> POOL = KEYS.required(
            "pool",
            NameReference.POOL,
            "the pool of the resolvers",
            config -> config.upstream().pool());
    private static final Key<Protocol> PROTOCOL = KEYS.optional(
            "protocol",
            EnumWords.of(Protocol.class),
            Protocol.UDP,
            UpstreamKeys.PROTOCOL,
            config -> config.upstream().protocol());
    private static final Key<List<Cidr>> CLIENTS = KEYS.optional(
            "clients",
            ListType.atLeastOne(Networks.NETWORK).unique("network", network -> network),
            DnsForwardConfig.PRIVATE_NETWORKS,
            "client networks that may query; all other clients are refused; default: loopback and private"
                    + " networks",
            DnsForwardConfig::clients);
    private static final Key<Duration> TIMEOUT = KEYS.optional(
            "timeout",
            Durations.DURATION,
            DnsForwardConfig.DEFAULT_TIMEOUT,
            "total time limit for a query, over all attempts",
            DnsForwardConfig::timeout);
    private static final Key<Duration> RETRY_AFTER = KEYS.optional(
            "retry_after",
            Durations.DURATION,
            DnsForwardConfig.DEFAULT_RETRY_AFTER,
            "how long to wait for a resolver before a second one is queried in parallel",
            DnsForwardConfig::retryAfter);
    private static final Key<Integer> OUTSTANDING = KEYS.optional(
            "outstanding",
            Scalars.integer(1, MAX_OUTSTANDING),
            DnsForwardConfig.DEFAULT_OUTSTANDING,
            "maximum number of queries that wait for an answer; further queries are refused; one client may use"
                    + " as many as are still free, so at most half of them",
            DnsForwardConfig::outstanding);
    private static final Key<Boolean> RANDOM_CASE = KEYS.optional(
            "random_case",
            Scalars.BOOLEAN,
            DnsForwardConfig.DEFAULT_RANDOM_CASE,
            "whether query names are sent in random case, which an answer must repeat to be accepted (0x20)",
            DnsForwardConfig::randomCase);
    private static final Key<List<Route>> ROUTES = KEYS.optional(
            "routes",
            ListType.of(DnsForwardRouteKeys.ROUTE),
            List.of(),
            "other resolvers for some names or clients; the first matching route is used",
            DnsForwardConfig::routes);
    private static final Key<Optional<DnsCacheConfig>> CACHE = KEYS.optional(
            "cache",
            DnsCacheKeys.CACHE,
            Optional.of(DnsCacheConfig.DEFAULT),
            "cache for answers from resolvers",
            DnsForwardConfig::cache);

    private static final Key<DnsFilterConfig> FILTER = KEYS.optional(
            "filter", DnsFilterKeys.FILTER, "filter that blocks names; none by default", DnsForwardConfig::filter);
    private static final Key<List<DnsClientGroup>> GROUPS = KEYS.optional(
            "groups",
            ListType.of(DnsGroupKeys.GROUP).unique("name", DnsClientGroup::name),
            List.of(),
            "client groups with their own filter settings; requires filter",
            config -> config.policy().groups());
    private static final Key<Optional<DnsRebindConfig>> REBIND = KEYS.optional(
            "rebind",
            DnsRebindKeys.REBIND,
            Optional.empty(),
            "DNS rebinding protection: withholds answers with internal addresses; off by default",
            config -> config.policy().rebind());
    private static final Key<String> PATH = KEYS.optional(
            "path", UpstreamKeys.TARGET, UpstreamKeys.PATH, config -> UpstreamKeys.path(config.upstream()));

    private static final Key<Optional<DnsClientSubnetConfig>> CLIENT_SUBNET = KEYS.optional(
            "client_subnet",
            DnsClientSubnetKeys.CLIENT_SUBNET,
            Optional.empty(),
            UpstreamKeys.CLIENT_SUBNET,
            config -> config.upstream().clientSubnet());
    private static final Key<List<Integer>> EDNS_OPTIONS = KEYS.optional(
            "edns_options",
            UpstreamKeys.OPTION_CODES,
            UpstreamKeys.EDNS_OPTIONS,
            config -> UpstreamKeys.options(config.upstream()));
    private static final Key<DnsValidationConfig> DNSSEC = KEYS.optional(
            "dnssec",
            DnsValidationKeys.DNSSEC,
            DnsValidationConfig.OFF,
            "validate: the DNSSEC signatures of answers are validated; off: answers are forwarded without validation",
            DnsForwardConfig::dnssec);

    private static final Key<String> PRIVATE_PTR = KEYS.optional(
            "private_ptr",
            NameReference.POOL,
            "pool for reverse lookups of private addresses, such as the router; answered with NXDOMAIN by default",
            DnsForwardConfig::privatePtr);

    /** The forwarding configuration, written as a mapping or as the name of a pool alone. */
    public static final Type<DnsForwardConfig> FORWARD = new BriefType<>(
            NameReference.POOL.map(
                    DnsForwardConfig::of, config -> config.upstream().pool()),
            KEYS.build(DnsForwardKeys::build),
            config -> config.equals(DnsForwardConfig.of(config.upstream().pool())));

    private DnsForwardKeys() {}

    private static DnsForwardConfig build(Values values) {
        if (values.get(RETRY_AFTER).compareTo(values.get(TIMEOUT)) > 0) {
            values.reading().mismatch(values.node(RETRY_AFTER), "at most timeout");
        }
        checkGroups(values);
        return new DnsForwardConfig(
                UpstreamKeys.upstream(values, POOL, PROTOCOL, PATH, CLIENT_SUBNET, EDNS_OPTIONS),
                values.get(CLIENTS),
                values.get(TIMEOUT),
                values.get(RETRY_AFTER),
                values.get(OUTSTANDING),
                values.get(RANDOM_CASE),
                values.get(ROUTES),
                values.get(CACHE),
                values.find(FILTER),
                new DnsPolicyConfig(values.get(GROUPS), values.get(REBIND)),
                values.get(DNSSEC),
                values.find(PRIVATE_PTR));
    }

    private static void checkGroups(Values values) {
        List<DnsClientGroup> groups = values.get(GROUPS);
        if (groups.isEmpty() || values.isInvalid(FILTER)) {
            return;
        }
        if (values.find(FILTER).isEmpty()) {
            values.reading().mismatch(values.node(GROUPS), "the key 'filter' as well; groups require it");
            return;
        }
        if (groups.size() > DnsClientGroup.MAX_GROUPS) {
            values.reading().mismatch(values.node(GROUPS), "at most " + DnsClientGroup.MAX_GROUPS + " groups");
        }
        Set<String> lists = values.find(FILTER).orElseThrow().lists().stream()
                .map(DnsFilterConfig.RuleList::name)
                .collect(Collectors.toSet());
        Set<Set<String>> choices = new HashSet<>();
        Map<Cidr, String> owners = new HashMap<>();
        for (DnsClientGroup group : groups) {
            for (Cidr network : group.clients()) {
                String owner = owners.putIfAbsent(network, group.name());
                if (owner != null) {
                    values.reading()
                            .error(
                                    values.node(GROUPS),
                                    "group " + group.name() + ": network '" + network + "' already belongs to group "
                                            + owner);
                }
            }
            for (List<String> chosen : group.listSelections()) {
                choices.add(Set.copyOf(chosen));
                chosen.stream()
                        .filter(list -> !lists.contains(list))
                        .forEach(list -> values.reading()
                                .error(
                                        values.node(GROUPS),
                                        "group " + group.name() + ": list '" + list
                                                + "' (expected: the name of a list in filter.lists)"));
            }
        }
        if (choices.size() > DnsPolicyConfig.MAX_LIST_SELECTIONS) {
            values.reading()
                    .mismatch(
                            values.node(GROUPS),
                            "at most " + DnsPolicyConfig.MAX_LIST_SELECTIONS + " different combinations of lists");
        }
    }
}
