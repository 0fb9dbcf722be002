package io.ballast.core.config;

import io.ballast.core.Checks;
import java.time.Duration;
import java.util.Optional;

/**
 * A strategy by name, with its options.
 *
 * @param kind the strategy
 * @param within the inner strategy: inside a tier for {@link StrategyKind#FAILOVER}, inside a region for
 *     {@link StrategyKind#GEO}, among equally near backends for {@link StrategyKind#LATENCY}, or for clients
 *     that are not bound to a backend for {@link StrategyKind#STICKY}
 * @param hash how requests are hashed; present exactly if this or the inner strategy is {@link
 *     StrategyKind#HASH}
 * @param sticky the cookie; present exactly if the strategy is {@link StrategyKind#STICKY}
 * @param latency how times are compared; present exactly if this or the inner strategy is {@link
 *     StrategyKind#LATENCY}
 * @param failBack how long a recovered preferred tier must stay available before it is used again; zero to
 *     use it immediately
 */
public record StrategyConfig(
        StrategyKind kind,
        Optional<StrategyKind> within,
        Optional<HashConfig> hash,
        Optional<StickyConfig> sticky,
        Optional<LatencyConfig> latency,
        Duration failBack) {

    public static final Duration DEFAULT_FAIL_BACK = Duration.ZERO;
    public static final StrategyConfig DEFAULT = of(StrategyKind.ROUND_ROBIN);

    public StrategyConfig {
        Checks.that(
                within.isEmpty() || hasInnerStrategy(kind),
                "within",
                within.map(StrategyKind::label).orElse(""),
                "only with strategy failover, geo, latency or sticky");
        Checks.that(
                within.isEmpty() || isInside(within.get(), kind),
                "within",
                within.map(StrategyKind::label).orElse(""),
                kind == StrategyKind.STICKY
                        ? "another strategy"
                        : "a strategy other than failover, geo, latency and sticky");
        Checks.that(
                hash.isPresent() == usesKind(StrategyKind.HASH, kind, within),
                "hash",
                hash.isPresent() ? "given" : "absent",
                "given if strategy hash is used, absent otherwise");
        Checks.that(
                sticky.isPresent() == (kind == StrategyKind.STICKY),
                "cookie",
                sticky.isPresent() ? "given" : "absent",
                "given if strategy sticky is used, absent otherwise");
        Checks.that(
                latency.isPresent() == usesKind(StrategyKind.LATENCY, kind, within),
                "latency",
                latency.isPresent() ? "given" : "absent",
                "given if strategy latency is used, absent otherwise");
        Checks.that(
                latency.filter(LatencyConfig::learned).isEmpty(),
                "learned",
                "true",
                "only with DNS services, whose clients connect to backends directly");
    }

    /** Creates a strategy with default options. */
    public StrategyConfig(StrategyKind kind, Optional<StrategyKind> within) {
        this(
                kind,
                within,
                usesKind(StrategyKind.HASH, kind, within) ? Optional.of(HashConfig.DEFAULT) : Optional.empty(),
                kind == StrategyKind.STICKY ? Optional.of(StickyConfig.DEFAULT) : Optional.empty(),
                usesKind(StrategyKind.LATENCY, kind, within) ? Optional.of(LatencyConfig.DEFAULT) : Optional.empty(),
                DEFAULT_FAIL_BACK);
    }

    public static StrategyConfig of(StrategyKind kind) {
        return new StrategyConfig(kind, Optional.empty());
    }

    /** Returns a copy with the given hash settings. */
    public StrategyConfig withHash(HashConfig other) {
        return new StrategyConfig(kind, within, Optional.of(other), sticky, latency, failBack);
    }

    /** Returns a copy with the given cookie settings. */
    public StrategyConfig withSticky(StickyConfig other) {
        return new StrategyConfig(kind, within, hash, Optional.of(other), latency, failBack);
    }

    /** Returns a copy with the given latency settings. */
    public StrategyConfig withLatency(LatencyConfig other) {
        return new StrategyConfig(kind, within, hash, sticky, Optional.of(other), failBack);
    }

    /** Returns a copy with the given fail-back time. */
    public StrategyConfig withFailBack(Duration time) {
        return new StrategyConfig(kind, within, hash, sticky, latency, time);
    }

    /** Returns whether the strategy needs HTTP requests, which TCP and UDP sessions do not have. */
    public boolean needsRequests() {
        return sticky.isPresent()
                || hash.filter(config -> config.key().needsRequest()).isPresent();
    }

    /** Returns whether all settings are the defaults, so that the name alone describes the strategy. */
    public boolean isPlain() {
        return equals(of(kind));
    }

    private static boolean hasInnerStrategy(StrategyKind kind) {
        return switch (kind) {
            case FAILOVER, GEO, LATENCY, STICKY -> true;
            default -> false;
        };
    }

    private static boolean isInside(StrategyKind within, StrategyKind kind) {
        return !hasInnerStrategy(within) || (kind == StrategyKind.STICKY && within != StrategyKind.STICKY);
    }

    /** Whether the strategy uses client locations. */
    public boolean needsGeography() {
        return usesKind(StrategyKind.GEO, kind, within);
    }

    /** Returns whether the strategy or its inner strategy is of the kind {@code wanted}. */
    private static boolean usesKind(StrategyKind wanted, StrategyKind kind, Optional<StrategyKind> within) {
        return kind == wanted || within.filter(wanted::equals).isPresent();
    }
}
