package io.ballast.config.shorthand;

import io.ballast.config.key.Key;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.HttpTexts;
import java.time.Duration;
import java.util.Optional;

/**
 * The keys of {@code health_check} in the short form.
 *
 * @param path the path of GET checks; if absent, checks only open a TCP connection
 * @param interval the time between two checks; if absent, the default applies
 */
record ShortHealthCheck(Optional<String> path, Optional<Duration> interval) {

    private static final String DEFAULT_PATH = "/health";

    private static final ShapeBuilder<ShortHealthCheck> KEYS =
            Shape.named("short_health_check", "Health checks with HTTP GET.");

    private static final Key<String> PATH =
            KEYS.shorthand("path", HttpTexts.TARGET, "request target of the check; default: /health");
    private static final Key<Optional<Duration>> INTERVAL = KEYS.shorthand(
            "interval", ShortTypes.DURATION, "interval between two health checks of a backend; default: 5s");

    static final Type<ShortHealthCheck> HEALTH_CHECK = KEYS.build(values -> new ShortHealthCheck(
            Optional.of(values.find(PATH).orElse(DEFAULT_PATH)),
            values.find(INTERVAL).flatMap(time -> time)));
}
