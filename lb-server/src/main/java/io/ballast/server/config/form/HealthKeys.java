package io.ballast.server.config.form;

import io.ballast.core.Checks;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthCheck.StatusRange;
import io.ballast.core.config.HealthConfig;
import io.ballast.server.config.key.Durations;
import io.ballast.server.config.key.Key;
import io.ballast.server.config.key.Scalars;
import io.ballast.server.config.key.Shape;
import io.ballast.server.config.key.ShapeBuilder;
import io.ballast.server.config.key.Type;
import io.ballast.server.config.key.Values;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** {@code pools.NAME.health}. */
final class HealthKeys {

    private enum Kind {
        NONE,
        TCP,
        HTTP
    }

    private static final ShapeBuilder<HealthConfig> KEYS =
            Shape.named("health", "How the backends of a pool are checked.");

    private static final Key<Kind> TYPE = KEYS.optional(
            "type",
            Words.of(Kind.class),
            Kind.TCP,
            "none: always taken to be up; tcp: a handshake; http: one request",
            health -> Kind.valueOf(Words.upper(health.check().label())));
    private static final Key<String> METHOD = KEYS.optional(
            "method",
            HttpTexts.METHOD,
            "method of the request; GET by default; only with type http",
            http(check -> Optional.of(check.method())));
    private static final Key<String> PATH = KEYS.optional(
            "path",
            HttpTexts.TARGET,
            "target of the request; / by default; only with type http",
            http(check -> Optional.of(check.path())));
    private static final Key<String> HOST = KEYS.optional(
            "host",
            HttpTexts.HOST,
            "its Host header; the backend's address by default; only with type http",
            http(HealthCheck.Http::host));
    private static final Key<List<StatusRange>> EXPECT = KEYS.optional(
            "expect",
            StatusRanges.RANGES,
            "accepted statuses; 200-399 by default; only with type http",
            http(check -> Optional.of(check.expected())));
    private static final Key<Duration> INTERVAL = KEYS.optional(
            "interval",
            Durations.DURATION,
            HealthConfig.DEFAULT_INTERVAL,
            "from the end of one check to the start of the next",
            HealthConfig::interval);
    private static final Key<Duration> FAST_INTERVAL = KEYS.optional(
            "fast_interval",
            Durations.DURATION,
            HealthConfig.DEFAULT_FAST_INTERVAL,
            "the same while checks speak against the state, and after a backend was found down; while it stays down,"
                    + " doubled after each check up to interval; at most interval",
            HealthConfig::fastInterval);
    private static final Key<Duration> TIMEOUT = KEYS.optional(
            "timeout",
            Durations.DURATION,
            HealthConfig.DEFAULT_TIMEOUT,
            "for one check as a whole: connect, write and read",
            HealthConfig::timeout);
    private static final Key<Integer> RISE = KEYS.optional(
            "rise",
            Scalars.integer(1, HealthConfig.MAX_STREAK),
            HealthConfig.DEFAULT_RISE,
            "successes in a row that bring a backend up",
            HealthConfig::rise);
    private static final Key<Integer> FALL = KEYS.optional(
            "fall",
            Scalars.integer(1, HealthConfig.MAX_STREAK),
            HealthConfig.DEFAULT_FALL,
            "failures in a row that take a backend down",
            HealthConfig::fall);

    static final Type<HealthConfig> HEALTH = KEYS.build(HealthKeys::build);

    private HealthKeys() {}

    private static HealthConfig build(Values values) {
        return new HealthConfig(
                check(values),
                values.get(INTERVAL),
                fastInterval(values),
                values.get(TIMEOUT),
                values.get(RISE),
                values.get(FALL));
    }

    private static Duration fastInterval(Values values) {
        Duration interval = values.get(INTERVAL);
        Duration fallback = HealthConfig.defaultFastInterval(interval);
        if (!values.has(FAST_INTERVAL)) {
            return fallback;
        }
        Duration given = values.get(FAST_INTERVAL);
        if (given.compareTo(interval) > 0 && !values.failed(INTERVAL)) {
            values.reading().mismatch(values.node(FAST_INTERVAL), "at most interval");
        }
        return given.compareTo(interval) > 0 ? fallback : given;
    }

    private static HealthCheck check(Values values) {
        Kind kind = values.get(TYPE);
        if (kind == Kind.HTTP) {
            return new HealthCheck.Http(
                    values.find(METHOD).orElse(HealthCheck.Http.DEFAULT_METHOD),
                    values.find(PATH).orElse(HealthCheck.Http.DEFAULT_PATH),
                    values.find(HOST),
                    values.find(EXPECT).orElse(HealthCheck.Http.DEFAULT_EXPECTED));
        }
        for (Key<?> key : List.of(METHOD, PATH, HOST, EXPECT)) {
            Checks.that(values.failed(TYPE) || !values.has(key), key.name(), "", "only with type http");
        }
        return kind == Kind.TCP ? new HealthCheck.Tcp() : new HealthCheck.None();
    }

    private static <T> Function<HealthConfig, Optional<T>> http(Function<HealthCheck.Http, Optional<T>> getter) {
        return health -> health.check() instanceof HealthCheck.Http check ? getter.apply(check) : Optional.empty();
    }
}
