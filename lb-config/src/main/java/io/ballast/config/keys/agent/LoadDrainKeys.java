package io.ballast.config.keys.agent;

import io.ballast.agent.config.LoadDrainConfig;
import io.ballast.agent.config.LoadLimit;
import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.Percents;
import java.time.Duration;

/** The keys of {@code register[].drain} of an agent. */
final class LoadDrainKeys {

    private static final ShapeBuilder<LoadLimit> LIMIT_KEYS =
            Shape.named("agent_load_limit", "The limits of one measure of load.");
    private static final Key<Integer> HIGH = LIMIT_KEYS.required(
            "high", Percents.PERCENT, "from this value on, the weight falls", LoadLimit::highPercent);
    private static final Key<Integer> LOW = LIMIT_KEYS.required(
            "low", Percents.PERCENT, "below this value, the weight rises again; at most high", LoadLimit::lowPercent);
    private static final Type<LoadLimit> LIMIT =
            LIMIT_KEYS.build(values -> new LoadLimit(values.get(HIGH), values.get(LOW)));

    private static final ShapeBuilder<LoadDrainConfig> KEYS = Shape.named(
            "agent_drain",
            "When the weight of a backend is reduced because of its load. Between low and high, the weight stays as it is.");
    private static final Key<LoadLimit> CPU = KEYS.optional(
            "cpu",
            LIMIT,
            "CPU use of the container, if cgroup version 2 limits it, otherwise of the machine",
            LoadDrainConfig::cpu);
    private static final Key<LoadLimit> MEMORY = KEYS.optional(
            "memory",
            LIMIT,
            "memory use of the container, if cgroup version 2 limits it, otherwise of the machine",
            LoadDrainConfig::memory);
    private static final Key<LoadLimit> ERRORS = KEYS.optional(
            "errors", LIMIT, "share of the last 20 health checks of the agent that failed", LoadDrainConfig::errors);
    private static final Key<Duration> HOLD = KEYS.optional(
            "hold",
            Durations.DURATION,
            LoadDrainConfig.DEFAULT_HOLD,
            "how long a value must be high, or all values low, before the weight changes; at most 1h",
            LoadDrainConfig::hold);
    private static final Key<Duration> BLEED = KEYS.optional(
            "bleed",
            Durations.DURATION,
            LoadDrainConfig.DEFAULT_BLEED,
            "how long the weight takes to fall to a tenth, or to rise again; at most 1h",
            LoadDrainConfig::bleed);

    static {
        KEYS.atLeastOne(CPU, MEMORY, ERRORS);
    }

    static final Type<LoadDrainConfig> DRAIN = KEYS.build(values -> new LoadDrainConfig(
            values.find(CPU), values.find(MEMORY), values.find(ERRORS), values.get(HOLD), values.get(BLEED)));

    private LoadDrainKeys() {}
}
