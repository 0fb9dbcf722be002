package io.ballast.config.keys.forward;

import static io.ballast.dns.config.forward.DnsCacheConfig.DEFAULT;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Sizes;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.core.Checks;
import io.ballast.core.DurationText;
import io.ballast.dns.config.forward.DnsCacheConfig;
import java.time.Duration;
import java.util.Optional;

/** The keys of {@code dns.forward.cache}, which is a mapping or a boolean. */
final class DnsCacheKeys {

    private static final int MAX_SIZE_BYTES = 1 << 30;

    private static final ShapeBuilder<DnsCacheConfig> KEYS = Shape.named(
            "dns_cache", "Cache for answers from resolvers. `true` enables it with the defaults, `false` disables it.");

    private static final Key<Integer> SIZE = KEYS.optional(
            "size",
            Sizes.between(DnsCacheConfig.MIN_SIZE_BYTES, MAX_SIZE_BYTES),
            DEFAULT.sizeBytes(),
            "memory limit of the cache",
            DnsCacheConfig::sizeBytes);
    private static final Key<Duration> MIN_TTL = KEYS.optional(
            "min_ttl",
            ttl(Duration.ZERO, DnsCacheConfig.MAX_TTL),
            DEFAULT.minTtl(),
            "minimum TTL of answers; at most max_ttl",
            DnsCacheConfig::minTtl);
    private static final Key<Duration> MAX_TTL = KEYS.optional(
            "max_ttl",
            ttl(Duration.ofSeconds(1), DnsCacheConfig.MAX_TTL),
            DEFAULT.maxTtl(),
            "maximum TTL of answers",
            DnsCacheConfig::maxTtl);
    private static final Key<Duration> MAX_NEGATIVE_TTL = KEYS.optional(
            "max_negative_ttl",
            ttl(Duration.ZERO, DnsCacheConfig.MAX_NEGATIVE_TTL),
            DEFAULT.maxNegativeTtl(),
            "maximum TTL of negative answers (RFC 2308)",
            DnsCacheConfig::maxNegativeTtl);
    private static final Key<Duration> FAILURE_TTL = KEYS.optional(
            "failure_ttl",
            ttl(Duration.ofSeconds(1), DnsCacheConfig.MAX_FAILURE_TTL),
            DEFAULT.failureTtl(),
            "how long failures of resolvers are cached, at least 1s (RFC 9520)",
            DnsCacheConfig::failureTtl);
    private static final Key<Duration> STALE = KEYS.optional(
            "stale",
            ttl(Duration.ZERO, DnsCacheConfig.MAX_TTL),
            DEFAULT.stale(),
            "how long after its expiry an answer may be served while resolvers do not answer (RFC 8767); 0s disables it",
            DnsCacheConfig::stale);
    private static final Key<Duration> STALE_AFTER = KEYS.optional(
            "stale_after",
            Durations.DURATION,
            DEFAULT.staleAfter(),
            "how long a query waits for resolvers before an expired answer is served",
            DnsCacheConfig::staleAfter);
    private static final Key<Boolean> PREFETCH = KEYS.optional(
            "prefetch",
            Scalars.BOOLEAN,
            DEFAULT.prefetch(),
            "whether an answer that is queried in the last tenth of its TTL is refreshed before it expires",
            DnsCacheConfig::prefetch);
    private static final Key<Boolean> SNAPSHOT = KEYS.optional(
            "snapshot",
            Scalars.BOOLEAN,
            DEFAULT.snapshot(),
            "whether the cache is saved in `data_dir` at shutdown and loaded at startup",
            DnsCacheConfig::snapshot);

    private static final Shape<DnsCacheConfig> SHAPE = KEYS.build(DnsCacheKeys::build);

    /** The cache configuration; absent if the cache is disabled. */
    static final Type<Optional<DnsCacheConfig>> CACHE = new BriefType<>(
            Scalars.BOOLEAN.map(kept -> kept ? Optional.of(DEFAULT) : Optional.empty(), Optional::isPresent),
            SHAPE.map(Optional::of, Optional::orElseThrow),
            Optional::isEmpty);

    private DnsCacheKeys() {}

    private static Type<Duration> ttl(Duration min, Duration max) {
        String range = DurationText.of(min) + ".." + DurationText.of(max);
        return Durations.SECONDS.map(
                ttl -> {
                    Checks.that(ttl.compareTo(min) >= 0 && ttl.compareTo(max) <= 0, "duration", ttl, range);
                    return ttl;
                },
                ttl -> ttl);
    }

    private static DnsCacheConfig build(Values values) {
        if (values.get(MIN_TTL).compareTo(values.get(MAX_TTL)) > 0) {
            values.reading().mismatch(values.node(MIN_TTL), "at most max_ttl");
        }
        return new DnsCacheConfig(
                values.get(SIZE),
                values.get(MIN_TTL),
                values.get(MAX_TTL),
                values.get(MAX_NEGATIVE_TTL),
                values.get(FAILURE_TTL),
                values.get(STALE),
                values.get(STALE_AFTER),
                values.get(PREFETCH),
                values.get(SNAPSHOT));
    }
}
