package io.ballast.config.keys.pool;

import static io.ballast.core.config.CircuitBreakerConfig.DEFAULT;

import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.NameReference;
import io.ballast.config.keys.common.Percents;
import io.ballast.core.Checks;
import io.ballast.core.config.CircuitBreakerConfig;
import io.ballast.core.config.CircuitBreakerConfig.Slow;
import io.ballast.core.config.MaintenancePage;
import java.time.Duration;

/** The keys of {@code pools.NAME.circuit_breaker}. */
final class CircuitBreakerKeys {

    private static final Type<Integer> SHARE =
            Percents.PERCENT.map(CircuitBreakerKeys::requirePositive, share -> share);

    private static final Type<Duration> TIME = Durations.DURATION.map(CircuitBreakerKeys::requireInRange, time -> time);

    private static final ShapeBuilder<Slow> SLOW_KEYS =
            Shape.named("circuit_breaker_slow", "The share of slow responses that opens a circuit breaker.");
    private static final Key<Integer> SLOW_SHARE =
            SLOW_KEYS.required("share", SHARE, "share of requests", Slow::percent);
    private static final Key<Duration> SLOW_TIME = SLOW_KEYS.required(
            "time", TIME, "a response is slow if its head arrives after this time or later", Slow::time);
    private static final Type<Slow> SLOW_TYPE =
            SLOW_KEYS.build(values -> new Slow(values.get(SLOW_SHARE), values.get(SLOW_TIME)));

    private static final ShapeBuilder<CircuitBreakerConfig> KEYS = Shape.named(
            "circuit_breaker",
            "Stops the HTTP requests to a pool for a time when too many of them fail. Meanwhile, clients get 503 with"
                    + " Retry-After, or the responses of a fallback pool, or a page. Then a few requests test the pool.");

    private static final Key<Integer> ERRORS = KEYS.optional(
            "errors",
            SHARE,
            DEFAULT.errorPercent(),
            "share of failed requests that opens the circuit breaker; responses from 500 on, broken responses,"
                    + " timeouts, and requests without a usable backend are failures",
            CircuitBreakerConfig::errorPercent);
    private static final Key<Duration> WINDOW = KEYS.optional(
            "window",
            TIME,
            DEFAULT.window(),
            "time over which requests are counted, at most 1h",
            CircuitBreakerConfig::window);
    private static final Key<Integer> MIN_REQUESTS = KEYS.optional(
            "min_requests",
            Scalars.integer(1, CircuitBreakerConfig.MAX_MIN_REQUESTS),
            DEFAULT.minRequests(),
            "minimum number of requests in the window before a share applies",
            CircuitBreakerConfig::minRequests);
    private static final Key<Slow> SLOW = KEYS.optional(
            "slow",
            SLOW_TYPE,
            "share of slow responses that also opens the circuit breaker; default: slow responses do not open it",
            CircuitBreakerConfig::slow);
    private static final Key<Duration> OPEN = KEYS.optional(
            "open",
            TIME,
            DEFAULT.open(),
            "time after which probes pass, at most 1h; doubles with each failed round of probes",
            CircuitBreakerConfig::open);
    private static final Key<Duration> MAX_OPEN = KEYS.optional(
            "max_open",
            TIME,
            DEFAULT.maxOpen(),
            "longest time between rounds of probes, at most 1h; at least open",
            CircuitBreakerConfig::maxOpen);
    private static final Key<Integer> PROBES = KEYS.optional(
            "probes",
            Scalars.integer(1, CircuitBreakerConfig.MAX_PROBES),
            DEFAULT.probes(),
            "number of requests that test the pool; all of them must succeed",
            CircuitBreakerConfig::probes);
    private static final Key<String> FALLBACK = KEYS.optional(
            "fallback",
            NameReference.POOL,
            "pool that gets the requests while the circuit breaker is open; it must not have policies, and its"
                    + " concurrency limit and circuit breaker do not apply to them",
            CircuitBreakerConfig::fallback);
    private static final Key<MaintenancePage> PAGE = KEYS.optional(
            "page",
            MaintenanceKeys.MAINTENANCE,
            "response while the circuit breaker is open; default: a plain 503",
            CircuitBreakerConfig::page);

    static {
        KEYS.atMostOne(FALLBACK, PAGE);
    }

    static final Type<CircuitBreakerConfig> CIRCUIT_BREAKER = KEYS.build(CircuitBreakerKeys::build);

    private CircuitBreakerKeys() {}

    private static CircuitBreakerConfig build(Values values) {
        Duration open = values.get(OPEN);
        return new CircuitBreakerConfig(
                values.get(ERRORS),
                values.get(WINDOW),
                values.get(MIN_REQUESTS),
                values.find(SLOW),
                open,
                maxOpen(values, open),
                values.get(PROBES),
                values.find(FALLBACK),
                values.find(PAGE).filter(page -> values.find(FALLBACK).isEmpty()));
    }

    private static Duration maxOpen(Values values, Duration open) {
        Duration given = values.get(MAX_OPEN);
        if (given.compareTo(open) >= 0) {
            return given;
        }
        if (values.has(MAX_OPEN) && !values.isInvalid(OPEN) && !values.isInvalid(MAX_OPEN)) {
            values.reading().mismatch(values.node(MAX_OPEN), "at least open");
        }
        return open;
    }

    private static Duration requireInRange(Duration time) {
        boolean isInRange = !time.isZero() && time.compareTo(CircuitBreakerConfig.MAX_TIME) <= 0;
        Checks.that(isInRange, "duration", time, "> 0s and <= 1h");
        return time;
    }

    private static Integer requirePositive(Integer percent) {
        Checks.that(percent > 0, "percent", percent + "%", "at least 1%");
        return percent;
    }
}
