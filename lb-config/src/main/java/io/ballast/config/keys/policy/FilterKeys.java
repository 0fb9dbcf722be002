package io.ballast.config.keys.policy;

import io.ballast.config.key.Durations;
import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Sizes;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.core.ErrorText;
import io.ballast.filter.BodyAccess;
import io.ballast.filter.FilterSettings;
import io.ballast.policy.config.FilterConfig;
import io.ballast.policy.config.FilterConfig.OnError;
import io.ballast.policy.filter.jar.FilterCode;
import io.ballast.policy.filter.jar.FilterJar;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** The keys of {@code policies.NAME.filter} and {@code filters.NAME}. */
public final class FilterKeys {

    private static final ShapeBuilder<FilterConfig> KEYS = Shape.named(
            "filter",
            "A filter in Java: a jar whose code may answer requests, change headers and read request bodies. It runs on"
                    + " threads of its own.");

    private static final Key<Path> JAR = KEYS.required(
            "jar",
            new FileType(),
            "the jar of the filter, with its libraries; read at startup and at each reload, at most 64 MiB",
            config -> config.jar().path());
    private static final Key<String> CLASS = KEYS.optional(
            "class",
            Scalars.matching("class", "the name of a class", "[\\p{L}_$][\\p{L}\\p{N}_$.]{0,255}"),
            "the class that implements io.ballast.filter.FilterFactory; default: the one that the jar names in"
                    + " META-INF/services",
            FilterConfig::className);
    private static final Key<Map<String, Object>> SETTINGS = KEYS.optional(
            "settings",
            new FilterSettingsType(),
            Map.of(),
            "settings of the filter; the filter defines their names and checks them",
            FilterConfig::settings);
    private static final Key<Duration> DEADLINE = KEYS.optional(
            "deadline",
            Durations.DURATION,
            FilterConfig.DEFAULT_DEADLINE,
            "maximum time of a call with a request or a response, including the wait for a thread; at most 1m",
            FilterConfig::deadline);
    private static final Key<OnError> ON_ERROR = KEYS.optional(
            "on_error",
            EnumWords.of(OnError.class),
            OnError.REFUSE,
            "what happens if the filter fails, is too slow or has no free thread: refuse (the client gets 500 or 503) or"
                    + " pass (the request or response continues without its changes)",
            FilterConfig::onError);
    private static final Key<Integer> MAX_BODY = KEYS.optional(
            "max_body",
            Sizes.between(0, BodyAccess.MAX_BYTES),
            FilterConfig.DEFAULT_MAX_BODY,
            "maximum size of the request bodies that the filter may read; they are held in memory",
            FilterConfig::maxBody);
    private static final Key<Integer> THREADS = KEYS.optional(
            "threads",
            Scalars.integer(1, FilterConfig.MAX_THREADS),
            FilterConfig.DEFAULT_THREADS,
            "maximum number of calls that run at the same time",
            FilterConfig::threads);
    private static final Key<Integer> QUEUE = KEYS.optional(
            "queue",
            Scalars.integer(0, FilterConfig.MAX_QUEUE),
            FilterConfig.DEFAULT_QUEUE,
            "maximum number of calls that wait for a thread, or for the result of an asynchronous filter",
            FilterConfig::queue);

    public static final Type<FilterConfig> FILTER = KEYS.build(FilterKeys::build);

    private FilterKeys() {}

    private static FilterConfig build(Values values) {
        values.reading().registerFile(values.get(JAR));
        FilterConfig config = new FilterConfig(
                jar(values),
                values.find(CLASS),
                values.get(SETTINGS),
                values.get(DEADLINE),
                values.get(ON_ERROR),
                values.get(MAX_BODY),
                values.get(THREADS),
                values.get(QUEUE));
        if (config.jar().isReadable()) {
            check(config, values);
        }
        return config;
    }

    private static FilterJar jar(Values values) {
        try {
            return FilterJar.read(values.get(JAR));
        } catch (IllegalArgumentException e) {
            values.reading().error(values.node(JAR), ErrorText.of(e));
            return FilterJar.unreadable(values.get(JAR));
        }
    }

    /** Loads the factory of the filter, and lets the factory check the settings. */
    private static void check(FilterConfig config, Values values) {
        FilterCode code;
        try {
            code = FilterCode.load(config.jar(), config.className());
        } catch (IllegalArgumentException e) {
            values.reading().error(values.node(values.has(CLASS) ? CLASS : JAR), ErrorText.of(e));
            return;
        }
        try {
            code.check(FilterSettings.of(config.settings()));
        } catch (IllegalArgumentException e) {
            values.reading().error(values.node(SETTINGS), ErrorText.of(e));
        }
    }
}
