package io.ballast.config.keys.pool;

import static io.ballast.core.config.LatencyConfig.DEFAULT;

import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.Percents;
import io.ballast.core.config.LatencyConfig;
import java.time.Duration;

/** The keys of {@code latency} of a service or target. */
public final class LatencyKeys {

    private static final ShapeBuilder<LatencyConfig> KEYS =
            Shape.named("latency", "Latency-based routing, which compares the check times of backends.");

    private static final Key<Double> ALPHA = KEYS.optional(
            "alpha",
            Scalars.decimal(0, 1),
            DEFAULT.alpha(),
            "weight of the latest check's duration in the moving average",
            LatencyConfig::alpha);
    private static final Key<Duration> MAX_LATENCY = KEYS.optional(
            "max_latency",
            Durations.DURATION,
            "backends with a longer check time are not used while faster ones are known; no limit by default",
            LatencyConfig::maxLatency);
    private static final Key<Integer> HYSTERESIS = KEYS.optional(
            "hysteresis",
            Percents.PERCENT,
            DEFAULT.hysteresisPercent(),
            "how much faster another backend must be to replace the current one",
            LatencyConfig::hysteresisPercent);
    private static final Key<Duration> HOLD = KEYS.optional(
            "hold",
            Durations.DURATION,
            DEFAULT.hold(),
            "minimum time for which a selected backend is kept, unless it goes down or becomes too slow",
            LatencyConfig::hold);
    private static final Key<Boolean> LEARNED = KEYS.optional(
            "learned",
            Scalars.BOOLEAN,
            DEFAULT.learned(),
            "whether latencies reported for the client's network take precedence where they are known",
            LatencyConfig::learned);

    public static final Type<LatencyConfig> LATENCY = KEYS.build(values -> new LatencyConfig(
            values.get(ALPHA),
            values.find(MAX_LATENCY),
            values.get(HYSTERESIS),
            values.get(HOLD),
            values.get(LEARNED)));

    private LatencyKeys() {}
}
