package io.ballast.core.config;

import io.ballast.core.Checks;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of latency routing, which compares the average durations of the backends' health checks.
 *
 * @param alpha the weight of the latest check's duration in the moving average, above 0, up to 1
 * @param maxLatency backends with a longer average are not used while faster backends are known; absent for
 *     no limit
 * @param hysteresisPercent the percentage by which another backend must be faster before it is preferred, 0
 *     to 99
 * @param hold the minimum time for which a chosen backend is kept, unless it goes down or becomes too slow
 * @param learned whether round-trip times that were reported for the client's network take precedence over
 *     check durations
 */
public record LatencyConfig(
        double alpha, Optional<Duration> maxLatency, int hysteresisPercent, Duration hold, boolean learned) {

    public static final double DEFAULT_ALPHA = 0.3;
    public static final int DEFAULT_HYSTERESIS = 20;
    public static final Duration DEFAULT_HOLD = Duration.ofSeconds(30);

    public static final LatencyConfig DEFAULT =
            new LatencyConfig(DEFAULT_ALPHA, Optional.empty(), DEFAULT_HYSTERESIS, DEFAULT_HOLD, /* learned= */ false);

    public LatencyConfig {
        Checks.that(alpha > 0 && alpha <= 1, "alpha", alpha, "above 0, up to 1");
        Checks.between(hysteresisPercent, 0, 99, "hysteresis");
        maxLatency.ifPresent(max -> Checks.positive(max, "max_latency"));
    }
}
