package io.ballast.server.config.form;

import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.server.config.key.BriefType;
import io.ballast.server.config.key.Key;
import io.ballast.server.config.key.Scalars;
import io.ballast.server.config.key.Shape;
import io.ballast.server.config.key.ShapeBuilder;
import io.ballast.server.config.key.Type;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code pools.NAME.strategy}. */
final class StrategyKeys {

    /** The name of a strategy, or an alias. */
    static final Type<StrategyKind> KIND = Scalars.choice(words(), StrategyKind::label);

    private static final ShapeBuilder<StrategyConfig> KEYS = Shape.named("strategy", "The rule that picks a backend.");

    private static final Key<StrategyKind> TYPE = KEYS.required("type", KIND, "its name", StrategyConfig::kind);
    private static final Key<StrategyKind> WITHIN =
            KEYS.optional("within", KIND, "the rule inside a tier; only with type failover", StrategyConfig::within);

    /** A mapping, or the name alone. */
    static final Type<StrategyConfig> STRATEGY = new BriefType<>(
            KIND.map(StrategyConfig::of, StrategyConfig::kind),
            KEYS.build(values -> new StrategyConfig(values.get(TYPE), values.find(WITHIN))),
            /* printsBrief= */ strategy -> strategy.within().isEmpty());

    private StrategyKeys() {}

    private static Map<String, StrategyKind> words() {
        Map<String, StrategyKind> words = new LinkedHashMap<>();
        for (StrategyKind kind : StrategyKind.values()) {
            words.put(kind.label(), kind);
            kind.aliases().forEach(alias -> words.put(alias, kind));
        }
        return words;
    }
}
