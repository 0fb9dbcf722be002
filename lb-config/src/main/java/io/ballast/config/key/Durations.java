package io.ballast.config.key;

import io.ballast.core.Checks;
import io.ballast.core.DurationText;
import java.time.Duration;

/** Durations with units, largest first: {@code 500ms}, {@code 30s}, {@code 1m30s}, {@code 2h}, {@code 7d}. */
public final class Durations {

    /** Any duration; zero is {@code 0s}. */
    public static final Type<Duration> DURATION = new ScalarType<>(
            "duration",
            DurationText.EXPECTED,
            DurationText::parse,
            DurationText::of,
            JsonSchema.textOrVariable("([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?"));

    /** A duration in whole seconds, the resolution of times in DNS. */
    public static final Type<Duration> SECONDS = DURATION.map(
            duration -> {
                Checks.that(duration.toMillisPart() == 0, "duration", duration, "whole seconds");
                return duration;
            },
            duration -> duration);

    private Durations() {}

    /**
     * Returns a duration from 0 to {@code max}.
     *
     * @param name the name of the value in the error message
     */
    public static Type<Duration> atMost(String name, Duration max) {
        return DURATION.map(
                duration -> {
                    Checks.that(duration.compareTo(max) <= 0, name, duration, "0s to " + DurationText.of(max));
                    return duration;
                },
                duration -> duration);
    }
}
