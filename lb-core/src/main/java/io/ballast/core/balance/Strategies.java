package io.ballast.core.balance;

import static java.util.Objects.requireNonNull;

import io.ballast.core.config.HashConfig;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.geo.Geography;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Creates the strategy of one pool. */
public final class Strategies {

    private final StrategyConfig config;
    private final Supplier<@Nullable Geography> geography;

    private Strategies(StrategyConfig config, Supplier<@Nullable Geography> geography) {
        this.config = config;
        this.geography = geography;
    }

    /**
     * Creates a strategy for one pool, with its own position in the balancing cycle. The strategy does not know
     * the locations of clients.
     */
    public static Strategy create(StrategyConfig config) {
        return create(config, () -> null);
    }

    /**
     * Creates a strategy.
     *
     * @param geography read when members are compiled; supplies null if the locations of clients are unknown
     */
    public static Strategy create(StrategyConfig config, Supplier<@Nullable Geography> geography) {
        Strategies strategies = new Strategies(config, geography);
        StrategyKind within = config.within().orElse(StrategyKind.ROUND_ROBIN);
        return config.kind() == StrategyKind.STICKY
                ? new Sticky(config.sticky().orElseThrow(), strategies.tiers(within, StrategyKind.ROUND_ROBIN))
                : strategies.tiers(config.kind(), within);
    }

    /**
     * @param within the strategy inside tiers, regions and latency groups; unused for kinds whose tiers only
     *     separate primary backends from backups
     */
    private Strategy tiers(StrategyKind kind, StrategyKind within) {
        CheckTimes times =
                kind == StrategyKind.LATENCY ? new CheckTimes(config.latency().orElseThrow(), System::nanoTime) : null;
        Supplier<Strategy> inside =
                switch (kind) {
                    case FAILOVER -> () -> plain(within);
                    case GEO -> () -> new Geo(geography, () -> plain(within));
                    case LATENCY -> () -> new Latency(requireNonNull(times, "times"), () -> plain(within));
                    default -> () -> plain(kind);
                };
        ToIntFunction<Member> tierOf = kind == StrategyKind.FAILOVER ? Member::tier : Strategies::backupsLast;
        return new Failover(kind, tierOf, inside, config.failBack(), System::nanoTime, times);
    }

    private static int backupsLast(Member member) {
        return member.backup() ? 1 : 0;
    }

    /** Creates a strategy that contains no other strategy. */
    private Strategy plain(StrategyKind kind) {
        return switch (kind) {
            case ROUND_ROBIN -> new RoundRobin();
            case WEIGHTED_ROUND_ROBIN -> new WeightedRoundRobin();
            case RANDOM -> new RandomChoice();
            case POWER_OF_TWO -> new PowerOfTwo();
            case LEAST_CONNECTION -> new LeastConnection();
            case LEAST_RESPONSE_TIME -> new LeastResponseTime();
            case IP_HASH -> new ConsistentHash(kind, /* maxLoad= */ Optional.empty());
            case HASH -> new ConsistentHash(kind, config.hash().flatMap(HashConfig::maxLoad));
            case FAILOVER, GEO, LATENCY, STICKY ->
                throw new IllegalArgumentException(kind.label() + " cannot be used inside another strategy");
        };
    }
}
