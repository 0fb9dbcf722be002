package io.ballast.config.keys.pool;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.core.config.HashConfig;
import io.ballast.core.config.HashKey;
import io.ballast.core.config.LatencyConfig;
import io.ballast.core.config.StickyConfig;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The keys of {@code pools.NAME.strategy}. */
public final class StrategyKeys {

    /** The name of a strategy, or an alias. */
    public static final Type<StrategyKind> KIND = Scalars.choice(words(kind -> true), StrategyKind::label);

    /** The name of a strategy that another strategy contains. */
    private static final Type<StrategyKind> INNER_KIND =
            Scalars.choice(words(kind -> kind != StrategyKind.STICKY), StrategyKind::label);

    private static final ShapeBuilder<StrategyConfig> KEYS =
            Shape.named("strategy", "Load-balancing strategy of the pool.");

    private static final Key<StrategyKind> TYPE =
            KEYS.required("type", KIND, "name of the strategy", StrategyConfig::kind);
    private static final Key<StrategyKind> WITHIN = KEYS.optional(
            "within",
            INNER_KIND,
            "the strategy inside a tier with failover, inside a region with geo, among equally near"
                    + " backends with latency, or for clients without a backend yet with sticky; round-robin by"
                    + " default",
            StrategyConfig::within);
    private static final Key<HashKey> KEY = KEYS.optional(
            "key",
            HashKeyKeys.KEY,
            "part of the request that is hashed; default: the client's address; only with hash",
            strategy -> strategy.hash().map(HashConfig::key));
    private static final Key<Double> MAX_LOAD = KEYS.optional(
            "max_load",
            Scalars.decimal(1, HashConfig.MAX_LOAD),
            "maximum number of requests in flight to a backend, relative to its share: more than 1, such as 1.25;"
                    + " further requests go to another backend; default: no limit; only with hash",
            strategy -> strategy.hash().flatMap(HashConfig::maxLoad));
    private static final Key<StickyConfig> COOKIE = KEYS.optional(
            "cookie",
            StickyCookieKeys.COOKIE,
            "the cookie that keeps a client on its backend; only with sticky",
            StrategyConfig::sticky);
    private static final Key<LatencyConfig> LATENCY = KEYS.optional(
            "latency",
            LatencyKeys.LATENCY,
            "comparison of measured check times; only with latency",
            StrategyConfig::latency);
    private static final Key<Duration> FAIL_BACK = KEYS.optional(
            "fail_back",
            Durations.DURATION,
            StrategyConfig.DEFAULT_FAIL_BACK,
            "time for which a preferred priority, or the backends that are not backups, must be usable"
                    + " again before they get traffic",
            StrategyConfig::failBack);

    /** A strategy, written as a mapping or as its name alone. */
    static final Type<StrategyConfig> STRATEGY = new BriefType<>(
            KIND.map(StrategyConfig::of, StrategyConfig::kind),
            KEYS.build(StrategyKeys::build),
            /* printsBrief= */ StrategyConfig::isPlain);

    private StrategyKeys() {}

    private static StrategyConfig build(Values values) {
        StrategyConfig strategy =
                new StrategyConfig(values.get(TYPE), values.find(WITHIN)).withFailBack(values.get(FAIL_BACK));
        if (strategy.sticky().isPresent()) {
            strategy = strategy.withSticky(values.find(COOKIE).orElse(StickyConfig.DEFAULT));
        } else {
            refuse(values, COOKIE, "strategy type sticky");
        }
        if (strategy.hash().isPresent()) {
            HashKey key = values.find(KEY).orElse(HashConfig.DEFAULT.key());
            strategy = strategy.withHash(new HashConfig(key, values.find(MAX_LOAD)));
        } else {
            refuse(values, KEY, "strategy type hash, or within: hash");
            refuse(values, MAX_LOAD, "strategy type hash, or within: hash");
        }
        if (strategy.latency().isPresent()) {
            strategy = strategy.withLatency(values.find(LATENCY).orElse(LatencyConfig.DEFAULT));
        } else {
            refuse(values, LATENCY, "strategy type latency, or within: latency");
        }
        return strategy;
    }

    private static void refuse(Values values, Key<?> key, String expected) {
        if (values.has(key) && !values.isInvalid(WITHIN)) {
            values.reading().error(values.node(key), "has no effect with this strategy (expected: " + expected + ")");
        }
    }

    private static Map<String, StrategyKind> words(Predicate<StrategyKind> isOffered) {
        Map<String, StrategyKind> words = new LinkedHashMap<>();
        Stream.of(StrategyKind.values()).filter(isOffered).forEach(kind -> {
            words.put(kind.label(), kind);
            kind.aliases().forEach(alias -> words.put(alias, kind));
        });
        return words;
    }
}
