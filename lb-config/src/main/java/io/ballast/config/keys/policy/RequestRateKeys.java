package io.ballast.config.keys.policy;

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
import io.ballast.config.keys.common.OneOrMore;
import io.ballast.core.net.Cidr;
import io.ballast.policy.config.LimitKey;
import io.ballast.policy.config.Rate;
import io.ballast.policy.config.RequestRateConfig;
import io.ballast.policy.config.RequestRateConfig.Ban;
import io.ballast.policy.config.RequestRateConfig.Headers;
import io.ballast.policy.config.RequestRateConfig.MissingKey;
import io.ballast.policy.config.RequestRateConfig.OnFull;
import io.ballast.policy.config.RequestRateConfig.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The keys of {@code policies.NAME.rate_limit}. */
final class RequestRateKeys {

    private static final int MIN_STATUS = 100;
    private static final int MAX_STATUS = 599;

    private static final ShapeBuilder<Ban> BAN_KEYS =
            Shape.named("ban", "Refuses all requests of a key that continues after refusals.");
    private static final Key<Integer> AFTER = BAN_KEYS.required(
            "after",
            Scalars.integer(1, Rate.MAX_COUNT),
            "number of refusals after which the key is banned",
            Ban::after);
    private static final Key<Duration> FOR =
            BAN_KEYS.required("for", Durations.DURATION, "duration of the ban", Ban::duration);
    private static final Type<Ban> BAN = BAN_KEYS.build(values -> new Ban(values.get(AFTER), values.get(FOR)));

    private static final ShapeBuilder<Set<Integer>> COUNT_KEYS =
            Shape.named("limit_count", "The events that count, instead of requests.");
    private static final Key<List<Integer>> RESPONSES = COUNT_KEYS.required(
            "responses",
            ListType.atLeastOne(Scalars.integer(MIN_STATUS, MAX_STATUS)),
            "responses with one of these statuses",
            statuses -> statuses.stream().sorted().toList());
    private static final Type<Set<Integer>> COUNT = COUNT_KEYS.build(values -> Set.copyOf(values.get(RESPONSES)));

    private static final ShapeBuilder<RequestRateConfig> KEYS = Shape.named(
            "rate_limit",
            "Limits a rate with the generic cell rate algorithm. A request above the limit gets 429 with Retry-After.");

    private static final Key<List<Rate>> RATE = KEYS.required(
            "rate",
            OneOrMore.of(RateTexts.TYPE, "rate"),
            "maximum rate, such as 100/s; with several rates, a request must conform to all of them",
            config -> config.rates().stream()
                    .map(rate -> new Rate(rate.count(), rate.period()))
                    .toList());
    private static final Key<Integer> BURST = KEYS.optional(
            "burst",
            Scalars.integer(1, Rate.MAX_COUNT),
            "number of requests that may arrive at once; only with one rate; default: the count of the rate",
            RequestRateKeys::burst);
    private static final Key<List<LimitKey>> KEY = LimitKeyKeys.parts(KEYS, RequestRateConfig::key);
    private static final Key<MissingKey> MISSING = LimitKeyKeys.missing(KEYS, RequestRateConfig::missing);
    private static final Key<List<Cidr>> EXEMPT = KEYS.optional(
            "exempt",
            ListType.of(Networks.NETWORK),
            List.of(),
            "networks of clients that are not limited",
            RequestRateConfig::exempt);
    private static final Key<Set<Integer>> COUNTED = KEYS.optional(
            "count",
            COUNT,
            "counts responses instead of requests; default: all requests count",
            config -> Optional.of(config.countedStatuses()).filter(statuses -> !statuses.isEmpty()));
    private static final Key<Ban> BANNED = KEYS.optional(
            "ban", BAN, "bans keys that continue after refusals; default: no bans", RequestRateConfig::ban);
    private static final Key<Integer> MAX_KEYS = KEYS.optional(
            "keys",
            Scalars.integer(1, RequestRateConfig.MAX_KEYS),
            RequestRateConfig.DEFAULT_KEYS,
            "maximum number of counted keys; a new key replaces one that could send a full burst again",
            RequestRateConfig::keys);
    private static final Key<OnFull> ON_FULL = KEYS.optional(
            "on_full",
            EnumWords.of(OnFull.class),
            OnFull.ALLOW,
            "whether requests with a new key are allowed or refused while no other key can be replaced",
            RequestRateConfig::onFull);
    private static final Key<Duration> DELAY = KEYS.optional(
            "delay",
            Durations.DURATION,
            "how long a request above the limit may wait until it conforms, at most 1m; default: it is refused at once",
            config -> Optional.of(config.delay()).filter(delay -> !delay.isZero()));
    private static final Key<Headers> HEADERS = KEYS.optional(
            "headers",
            EnumWords.of(Headers.class),
            Headers.NONE,
            "headers of the responses that describe the limit: ratelimit for RateLimit and RateLimit-Policy"
                    + " (draft-ietf-httpapi-ratelimit-headers), x_ratelimit for X-RateLimit-Limit, -Remaining and -Reset",
            RequestRateConfig::headers);
    private static final Key<Integer> IPV6_PREFIX = LimitKeyKeys.ipv6Prefix(KEYS, RequestRateConfig::ipv6PrefixBits);

    private static final Key<Scope> SCOPE = KEYS.optional(
            "scope",
            EnumWords.of(Scope.class),
            Scope.NODE,
            "whether the limit applies to this node, or to all nodes of the cluster together; cluster needs the key"
                    + " cluster and permits 1000000 keys",
            RequestRateConfig::scope);

    static final Type<RequestRateConfig> RATE_LIMIT = KEYS.build(RequestRateKeys::build);

    private RequestRateKeys() {}

    private static Optional<Integer> burst(RequestRateConfig config) {
        Rate first = config.rates().get(0);
        return Optional.of(first.burst()).filter(burst -> burst != first.count());
    }

    private static RequestRateConfig build(Values values) {
        return new RequestRateConfig(
                rates(values),
                values.get(KEY),
                values.get(MISSING),
                values.get(EXEMPT),
                values.find(COUNTED).orElse(Set.of()),
                values.find(BANNED),
                values.get(MAX_KEYS),
                values.get(ON_FULL),
                values.find(DELAY).orElse(Duration.ZERO),
                values.get(HEADERS),
                values.get(IPV6_PREFIX),
                values.get(SCOPE));
    }

    private static List<Rate> rates(Values values) {
        List<Rate> rates = values.get(RATE);
        Optional<Integer> burst = values.find(BURST);
        if (burst.isEmpty()) {
            return rates;
        }
        if (rates.size() > 1) {
            values.reading().error(values.node(BURST), "burst with several rates (expected: one rate, or no burst)");
            return rates;
        }
        return List.of(new Rate(rates.get(0).count(), rates.get(0).period(), burst.get()));
    }
}
