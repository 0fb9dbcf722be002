package io.ballast.core.balance;

import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;

/** Makes strategies. */
public final class Strategies {

    private Strategies() {}

    /** A new strategy, with a cycle position of its own, for one pool. */
    public static Strategy create(StrategyConfig config) {
        StrategyKind within = config.within().orElse(StrategyKind.ROUND_ROBIN);
        return create(config.kind(), within);
    }

    /** @param within the rule inside a tier, looked at by failover only */
    private static Strategy create(StrategyKind kind, StrategyKind within) {
        return switch (kind) {
            case ROUND_ROBIN -> new RoundRobin();
            case WEIGHTED_ROUND_ROBIN -> new WeightedRoundRobin();
            case RANDOM -> new RandomChoice();
            case POWER_OF_TWO -> new PowerOfTwo();
            case LEAST_CONNECTION -> new LeastConnection();
            case LEAST_RESPONSE_TIME -> new LeastResponseTime();
            case IP_HASH -> new IpHash();
            case FAILOVER -> new Failover(() -> create(StrategyConfig.of(within)));
        };
    }
}
