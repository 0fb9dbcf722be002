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
            Shape.named("short_backend", "One address that serves requests. The url alone can be given instead.");

    private static final Key<HostPort> URL = KEYS.required(
            "url", BackendUrl.URL, "its address: host:port or http://host:port; port 80 if none is given");
    private static final Key<Located<Integer>> WEIGHT = KEYS.shorthand(
            "weight",
            Scalars.integer(0, BackendConfig.MAX_WEIGHT).located(),
            "its share relative to the other backends; required with w-round-robin");
    private static final Key<Located<String>> HEALTH_CHECK_PATH = KEYS.shorthand(
            "health_check_path",
            HttpTexts.TARGET.located(),
            "checks backends with GET of this path; without it, with a TCP handshake");
    private static final Key<Located<Optional<Integer>>> MAX_CONN = KEYS.shorthand(
            "max_conn",
            ShortTypes.upTo(Integer.MAX_VALUE).located(),
            "maximum number of concurrent exchanges of one backend (max_in_flight); 0 for the default");
    private static final Key<Located<Optional<Duration>>> MAX_CONN_DURATION = KEYS.shorthand(
            "max_conn_duration",
            ShortTypes.DURATION.located(),
            "how long a connection is reused (max_age); 0s for the default");
    private static final Key<Located<Optional<Duration>>> MAX_IDLE_CONN_DURATION = KEYS.shorthand(
            "max_idle_conn_duration",
            ShortTypes.DURATION.located(),
            "how long an idle connection is kept (idle_timeout); 0s for the default");
    private static final Key<Located<Optional<Integer>>> ATTEMPTS = KEYS.shorthand(
            "max_idemponent_call_attempts",
            ShortTypes.upTo(BackendConnections.MAX_ATTEMPTS).located(),
            "maximum number of attempts for a request that may be repeated (retry.attempts); 5 by"
                    + " default, and for 0");
    private static final Key<Located<Optional<Integer>>> ATTEMPTS_SPELT_RIGHT = KEYS.shorthand(
            "max_idempotent_call_attempts",
            ShortTypes.upTo(BackendConnections.MAX_ATTEMPTS).located(),
            "the same, spelled correctly");

    static {
        KEYS.ignored("max_conn_timeout", "a request never waits for a connection here; it goes to another backend");
        KEYS.unknownKeyHints(LongFormHints::ofBackend);
        KEYS.atMostOne(ATTEMPTS, ATTEMPTS_SPELT_RIGHT);
    }

    /** A mapping, or only the URL. */
    static final Type<ShortBackend> BACKEND = new BriefType<>(
            BackendUrl.URL.map(ShortBackend::at, ShortBackend::url),
            KEYS.build(ShortBackend::build),
            /* printsBrief= */ backend -> false);

    /** Returns the backends unless all of them have weight 0. */
    static List<Located<ShortBackend>> requireUsableMember(List<Located<ShortBackend>> backends) {
        Checks.that(
                backends.stream().anyMatch(backend -> backend.value().takesTraffic()),
                "backends",
                "weight 0 everywhere",
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
