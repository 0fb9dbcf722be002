package io.ballast.server.config.form;

import io.ballast.core.config.DnsCacheConfig;
import io.ballast.core.config.DnsFilterConfig;
import io.ballast.core.config.DnsForwardConfig;
import io.ballast.core.config.DnsForwardConfig.Protocol;
import io.ballast.core.config.DnsForwardConfig.Route;
import io.ballast.core.config.DnsForwardConfig.Upstream;
import io.ballast.core.config.DnsValidationConfig;
import io.ballast.core.net.Cidr;
import io.ballast.server.config.key.BriefType;
import io.ballast.server.config.key.Durations;
import io.ballast.server.config.key.Key;
import io.ballast.server.config.key.ListType;
import io.ballast.server.config.key.Networks;
import io.ballast.server.config.key.Scalars;
import io.ballast.server.config.key.Shape;
import io.ballast.server.config.key.ShapeBuilder;
import io.ballast.server.config.key.Type;
import io.ballast.server.config.key.Values;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code dns.forward}: a mapping, or the name of a pool alone. */
final class DnsForwardKeys {

    private static final int MOST_OUTSTANDING = 1_000_000;

    private static final ShapeBuilder<DnsForwardConfig> KEYS = Shape.named(
            "dns_forward",
            "Answers for names outside the zones come from resolvers, which are the backends of a pool. The name of the"
                    + " pool alone stands for the defaults.");

    private static final Key<String> POOL = KEYS.required(
            "pool",
            NameReference.POOL,
            "whose backends are asked",
            config -> config.upstream().pool());
    private static final Key<Protocol> PROTOCOL = KEYS.optional(
            "protocol",
            Words.of(Protocol.class),
            Protocol.UDP,
            "how they are asked; udp turns to tcp for answers that do not fit",
            config -> config.upstream().protocol());
    private static final Key<List<Cidr>> CLIENTS = KEYS.optional(
            "clients",
            ListType.atLeastOne(Networks.NETWORK).unique("network", network -> network),
            DnsForwardConfig.PRIVATE,
            "networks whose queries are answered, the others' are refused; loopback and private ones by default",
            DnsForwardConfig::clients);
    private static final Key<Duration> TIMEOUT = KEYS.optional(
            "timeout",
            Durations.DURATION,
            DnsForwardConfig.DEFAULT_TIMEOUT,
            "how long a query waits for an answer, whoever is asked for it",
            DnsForwardConfig::timeout);
    private static final Key<Duration> RETRY_AFTER = KEYS.optional(
            "retry_after",
            Durations.DURATION,
            DnsForwardConfig.DEFAULT_RETRY_AFTER,
            "when another resolver is asked beside the one that has not answered",
            DnsForwardConfig::retryAfter);
    private static final Key<Integer> OUTSTANDING = KEYS.optional(
            "outstanding",
            Scalars.integer(1, MOST_OUTSTANDING),
            DnsForwardConfig.DEFAULT_OUTSTANDING,
            "most queries that wait for an answer at once; newer ones are refused",
            DnsForwardConfig::outstanding);
    private static final Key<Boolean> RANDOM_CASE = KEYS.optional(
            "random_case",
            Scalars.BOOLEAN,
            /* fallback= */ true,
            "whether names are sent in random case, which an answer must repeat to be believed",
            DnsForwardConfig::randomCase);
    private static final Key<List<Route>> ROUTES = KEYS.optional(
            "routes",
            ListType.of(DnsForwardRouteKeys.ROUTE),
            List.of(),
            "other resolvers for some names or clients; the first that fits counts",
            DnsForwardConfig::routes);
    private static final Key<Optional<DnsCacheConfig>> CACHE = KEYS.optional(
            "cache",
            DnsCacheKeys.CACHE,
            Optional.of(DnsCacheConfig.DEFAULT),
            "how answers are kept",
            DnsForwardConfig::cache);

    private static final Key<DnsFilterConfig> FILTER = KEYS.optional(
            "filter",
            DnsFilterKeys.FILTER,
            "which names are not answered; every name is by default",
            DnsForwardConfig::filter);

    private static final Key<DnsValidationConfig> DNSSEC = KEYS.optional(
            "dnssec",
            DnsValidationKeys.DNSSEC,
            DnsValidationConfig.OFF,
            "validate: the signatures of answers are checked; off: they are passed on",
            DnsForwardConfig::dnssec);

    /** A mapping, or the name of a pool. */
    static final Type<DnsForwardConfig> FORWARD = new BriefType<>(
            NameReference.POOL.map(
                    DnsForwardConfig::of, config -> config.upstream().pool()),
            KEYS.build(DnsForwardKeys::build),
            config -> config.equals(DnsForwardConfig.of(config.upstream().pool())));

    private DnsForwardKeys() {}

    private static DnsForwardConfig build(Values values) {
        if (values.get(RETRY_AFTER).compareTo(values.get(TIMEOUT)) > 0) {
            values.reading().mismatch(values.node(RETRY_AFTER), "at most timeout");
        }
        return new DnsForwardConfig(
                new Upstream(values.get(POOL), values.get(PROTOCOL)),
                values.get(CLIENTS),
                values.get(TIMEOUT),
                values.get(RETRY_AFTER),
                values.get(OUTSTANDING),
                values.get(RANDOM_CASE),
                values.get(ROUTES),
                values.get(CACHE),
                values.find(FILTER),
                values.get(DNSSEC));
    }
}
