package io.ballast.core.config;

import io.ballast.core.Checks;
import java.util.Optional;

/**
 * A strategy by name, with its options.
 *
 * @param kind which rule
 * @param within the rule inside a tier, for {@link StrategyKind#FAILOVER} only
 */
public record StrategyConfig(StrategyKind kind, Optional<StrategyKind> within) {

    public static final StrategyConfig DEFAULT = of(StrategyKind.ROUND_ROBIN);

    public StrategyConfig {
        Checks.that(
                within.isEmpty() || kind == StrategyKind.FAILOVER,
                "within",
                within.map(StrategyKind::label).orElse(""),
                "only with strategy failover");
        Checks.that(
                within.isEmpty() || within.get() != StrategyKind.FAILOVER,
                "within",
                "failover",
                "a strategy other than failover");
    }

    public static StrategyConfig of(StrategyKind kind) {
        return new StrategyConfig(kind, Optional.empty());
    }
}
