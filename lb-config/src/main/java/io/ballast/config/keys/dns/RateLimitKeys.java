package io.ballast.config.keys.dns;

import static io.ballast.dns.config.RateLimitConfig.DEFAULT;

import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Networks;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.core.net.Cidr;
import io.ballast.dns.config.RateLimitConfig;
import java.util.List;
import java.util.Optional;

/** The keys of {@code dns.rate_limit}. */
final class RateLimitKeys {

    private static final ShapeBuilder<RateLimitConfig> KEYS = Shape.named(
            "dns_rate_limit",
            "Limit of UDP responses per client address; enclosing networks get multiples of it. A client with a"
                    + " valid cookie, or over TCP, is not limited.");

    private static final Key<Integer> RATE = KEYS.optional(
            "rate",
            Scalars.integer(1, RateLimitConfig.MAX),
            DEFAULT.rate(),
            "sustained responses per second",
            RateLimitConfig::rate);
    private static final Key<Integer> INSTANT = KEYS.optional(
            "instant",
            Scalars.integer(1, RateLimitConfig.MAX),
            "maximum burst of responses, at least rate; two and a half times rate by default",
            config -> Optional.of(config.instant()));
    private static final Key<Integer> SLIP = KEYS.optional(
            "slip",
            Scalars.integer(0, RateLimitConfig.MAX_SLIP),
            DEFAULT.slip(),
            "of the responses above the limit, every Nth is sent empty and truncated, so that clients"
                    + " repeat the query over TCP, and the other responses are dropped; 1: every one, 0: none",
            RateLimitConfig::slip);
    private static final Key<List<Cidr>> EXEMPT = KEYS.optional(
            "exempt",
            ListType.of(Networks.NETWORK),
            DEFAULT.exempt(),
            "networks that are never limited",
            RateLimitConfig::exempt);

    static final Type<RateLimitConfig> RATE_LIMIT = KEYS.build(RateLimitKeys::build);

    private RateLimitKeys() {}

    private static RateLimitConfig build(Values values) {
        int rate = values.get(RATE);
        int instant = values.find(INSTANT).orElse(RateLimitConfig.defaultInstant(rate));
        return new RateLimitConfig(rate, instant, values.get(SLIP), values.get(EXEMPT));
    }
}
