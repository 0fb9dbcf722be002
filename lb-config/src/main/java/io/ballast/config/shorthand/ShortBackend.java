package io.ballast.config.shorthand;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Located;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.HttpTexts;
import io.ballast.config.keys.pool.BackendKeys;
import io.ballast.config.keys.pool.BackendUrl;
import io.ballast.config.longform.LongFormHints;
import io.ballast.core.Checks;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.HostPort;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * An item of {@code backends[]} in the short form. It also holds settings that belong to the pool in the long
 * form.
 */
record ShortBackend(
        HostPort url,
        Optional<Located<Integer>> weight,
        Optional<Located<String>> healthCheckPath,
        Optional<Located<Optional<Integer>>> maxConn,
        Optional<Located<Optional<Duration>>> maxConnDuration,
        Optional<Located<Optional<Duration>>> maxIdleConnDuration,
        Optional<Located<Optional<Integer>>> attempts) {

    private static final ShapeBuilder<ShortBackend> KEYS =
            Shape.named("short_backend", "A backend. It can be written as its url alone.");

    private static final Key<HostPort> URL = KEYS.required(
            "url", BackendUrl.URL, "address of the backend: host:port or http://host:port; default port: 80");
    private static final Key<Located<Integer>> WEIGHT = KEYS.shorthand(
            "weight",
            Scalars.integer(0, BackendConfig.MAX_WEIGHT).located(),
            "weight relative to the other backends; required with w-round-robin");
    private static final Key<Located<String>> HEALTH_CHECK_PATH = KEYS.shorthand(
            "health_check_path",
            HttpTexts.TARGET.located(),
            "path for health checks with GET; without it, checks are TCP handshakes");
    private static final Key<Located<Optional<Integer>>> MAX_CONN = KEYS.shorthand(
            "max_conn",
            ShortTypes.upTo(Integer.MAX_VALUE).located(),
            "maximum number of concurrent exchanges of one backend (max_in_flight); 0 for the default");
    private static final Key<Located<Optional<Duration>>> MAX_CONN_DURATION = KEYS.shorthand(
            "max_conn_duration",
            ShortTypes.DURATION.located(),
            "maximum age of a reused connection (max_age); 0s for the default");
    private static final Key<Located<Optional<Duration>>> MAX_IDLE_CONN_DURATION = KEYS.shorthand(
            "max_idle_conn_duration",
            ShortTypes.DURATION.located(),
            "how long an idle connection is kept (idle_timeout); 0s for the default");
    private static final Key<Located<Optional<Integer>>> ATTEMPTS = KEYS.shorthand(
            "max_idemponent_call_attempts",
            ShortTypes.upTo(BackendConnections.MAX_ATTEMPTS).located(),
            "maximum number of attempts for a retryable request (retry.attempts); 0 for the default, 5");
    private static final Key<Located<Optional<Integer>>> ATTEMPTS_SPELT_RIGHT = KEYS.shorthand(
            "max_idempotent_call_attempts",
            ShortTypes.upTo(BackendConnections.MAX_ATTEMPTS).located(),
            "alias of max_idemponent_call_attempts with the correct spelling");

    static {
        KEYS.ignored("max_conn_timeout", "requests do not wait for a free connection; they go to another backend");
        KEYS.unknownKeyHints(LongFormHints::ofBackend);
        KEYS.atMostOne(ATTEMPTS, ATTEMPTS_SPELT_RIGHT);
    }

    /** A backend, written as a mapping or as the URL alone. */
    static final Type<ShortBackend> BACKEND = new BriefType<>(
            BackendUrl.URL.map(ShortBackend::at, ShortBackend::url),
            KEYS.build(ShortBackend::build),
            /* printsBrief= */ backend -> false);

    /** Returns the backends unless all of them have weight 0. */
    static List<Located<ShortBackend>> requireUsableMember(List<Located<ShortBackend>> backends) {
        Checks.that(
                backends.stream().anyMatch(backend -> backend.value().takesTraffic()),
                "backends",
                "weight 0 for all backends",
                BackendKeys.EXPECTED_WEIGHT);
        return backends;
    }

    private boolean takesTraffic() {
        return weight.map(Located::value).orElse(BackendConfig.DEFAULT_WEIGHT) > 0;
    }

    private static ShortBackend at(HostPort url) {
        return new ShortBackend(
                url,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static ShortBackend build(Values values) {
        return new ShortBackend(
                values.get(URL),
                values.find(WEIGHT),
                values.find(HEALTH_CHECK_PATH),
                values.find(MAX_CONN),
                values.find(MAX_CONN_DURATION),
                values.find(MAX_IDLE_CONN_DURATION),
                values.find(ATTEMPTS).or(() -> values.find(ATTEMPTS_SPELT_RIGHT)));
    }
}
