package io.ballast.config.keys.pool;

import static io.ballast.core.config.OutlierConfig.DEFAULT;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.Percents;
import io.ballast.core.Checks;
import io.ballast.core.config.HealthCheck.StatusRange;
import io.ballast.core.config.OutlierConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The keys of {@code pools.NAME.outlier}. */
final class OutlierKeys {

    private static final int MIN_STATUS = 400;

    private static final ShapeBuilder<OutlierConfig> KEYS = Shape.named(
            "outlier",
            "Outlier detection: a backend whose requests fail is ejected for a time, regardless of its health checks.");

    private static final Key<Integer> CONSECUTIVE_ERRORS = KEYS.optional(
            "consecutive_errors",
            Scalars.integer(1, OutlierConfig.MAX_ERRORS),
            DEFAULT.consecutiveErrors(),
            "consecutive failures that eject a backend; a response in between halves the count",
            OutlierConfig::consecutiveErrors);
    private static final Key<Integer> FAILURE_SHARE = KEYS.optional(
            "failure_share",
            Percents.PERCENT,
            DEFAULT.failurePercent(),
            "ejects a backend if its share of failed requests exceeds that of the pool's other backends by"
                    + " this much, measured over one to ten seconds; 0% disables it",
            OutlierConfig::failurePercent);
    private static final Key<Integer> MIN_REQUESTS = KEYS.optional(
            "min_requests",
            Scalars.integer(1, OutlierConfig.MAX_MIN_REQUESTS),
            DEFAULT.minRequests(),
            "minimum number of requests to the backend, and to the others, before failure_share applies",
            OutlierConfig::minRequests);
    private static final Key<List<StatusRange>> STATUS = KEYS.optional(
            "status",
            StatusRanges.RANGES.map(OutlierKeys::errors, ranges -> ranges),
            DEFAULT.statuses(),
            "response statuses from 400 on that count as failures, in addition to failed connections and responses",
            OutlierConfig::statuses);
    private static final Key<Duration> EJECTION = KEYS.optional(
            "ejection",
            Durations.DURATION,
            DEFAULT.ejection(),
            "duration of the first ejection; the second in a row lasts twice as long, the third three times, and so on",
            OutlierConfig::ejection);
    private static final Key<Duration> MAX_EJECTION = KEYS.optional(
            "max_ejection",
            Durations.DURATION,
            DEFAULT.maxEjection(),
            "maximum duration of an ejection; after the same time in service, earlier ejections are forgotten; at least ejection",
            OutlierConfig::maxEjection);
    private static final Key<Integer> MAX_EJECTED = KEYS.optional(
            "max_ejected",
            Percents.PERCENT.map(OutlierKeys::requirePositive, percent -> percent),
            DEFAULT.maxEjectedPercent(),
            "maximum share of backends that may be ejected at the same time, of those that take traffic or are ejected;"
                    + " one backend may always be ejected, unless it is the last that takes traffic",
            OutlierConfig::maxEjectedPercent);

    private static final Type<OutlierConfig> FULL = KEYS.build(OutlierKeys::build);

    static final Type<OutlierConfig> OUTLIER =
            new BriefType<>(Scalars.choice(Map.of("off", OutlierConfig.OFF), off -> "off"), FULL, OutlierConfig::isOff);

    private OutlierKeys() {}

    private static OutlierConfig build(Values values) {
        Duration ejection = values.get(EJECTION);
        return new OutlierConfig(
                values.get(CONSECUTIVE_ERRORS),
                values.get(FAILURE_SHARE),
                values.get(MIN_REQUESTS),
                values.get(STATUS),
                ejection,
                maxEjection(values, ejection),
                values.get(MAX_EJECTED));
    }

    private static Duration maxEjection(Values values, Duration ejection) {
        Duration given = values.get(MAX_EJECTION);
        if (given.compareTo(ejection) >= 0) {
            return given;
        }
        if (values.has(MAX_EJECTION) && !values.isInvalid(EJECTION) && !values.isInvalid(MAX_EJECTION)) {
            values.reading().mismatch(values.node(MAX_EJECTION), "at least ejection");
        }
        return ejection;
    }

    private static List<StatusRange> errors(List<StatusRange> ranges) {
        for (StatusRange range : ranges) {
            Checks.that(range.low() >= MIN_STATUS, "status", range, "statuses of 400 or above");
        }
        return ranges;
    }

    private static Integer requirePositive(Integer percent) {
        Checks.that(percent > 0, "percent", percent + "%", "at least 1%");
        return percent;
    }
}
