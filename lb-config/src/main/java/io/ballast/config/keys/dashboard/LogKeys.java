package io.ballast.config.keys.dashboard;

import io.ballast.config.LogConfig;
import io.ballast.config.key.Key;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.EnumWords;

/** The keys of {@code log}. */
public final class LogKeys {

    private static final ShapeBuilder<LogConfig> KEYS =
            Shape.named("log", "The log of the process, on stderr; requests go to access logs.");

    private static final Key<LogConfig.Format> FORMAT = KEYS.optional(
            "format",
            EnumWords.of(LogConfig.Format.class),
            LogConfig.DEFAULT.format(),
            "text: key=value pairs on one line; json: one JSON object per line",
            LogConfig::format);
    private static final Key<LogConfig.Level> LEVEL = KEYS.optional(
            "level",
            EnumWords.of(LogConfig.Level.class),
            LogConfig.DEFAULT.level(),
            "minimum level of the events that are logged; debug applies to Ballast's own events only",
            LogConfig::level);

    public static final Type<LogConfig> LOG =
            KEYS.build(values -> new LogConfig(values.get(FORMAT), values.get(LEVEL)));

    private LogKeys() {}
}
