package io.ballast.server.config.key;

import io.ballast.core.Checks;
import io.ballast.core.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations with units, largest first: {@code 500ms}, {@code 30s}, {@code 1m30s}, {@code 2h}, {@code 7d}. */
public final class Durations {

    /** Ten years; longer ones are mistakes, and some would not fit into nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(3650);

    private static final String SYNTAX =
            "(?:([0-9]{1,9})d)?(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m)?(?:([0-9]{1,9})s)?(?:([0-9]{1,9})ms)?";
    private static final Pattern PATTERN = Pattern.compile(SYNTAX);
    private static final List<Duration> UNITS = List.of(
            Duration.ofDays(1),
            Duration.ofHours(1),
            Duration.ofMinutes(1),
            Duration.ofSeconds(1),
            Duration.ofMillis(1));
    private static final String EXPECTED = "a duration such as 500ms, 30s or 1m30s";

    /** Any duration; zero is {@code 0s}. */
    public static final Type<Duration> DURATION = new ScalarType<>(
            "duration",
            EXPECTED,
            Durations::parse,
            DurationText::of,
            JsonSchema.textOrVariable("([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?"));

    /** Whole seconds, as DNS counts them. */
    public static final Type<Duration> SECONDS = DURATION.map(
            duration -> {
                Checks.that(duration.toMillisPart() == 0, "duration", duration, "whole seconds");
                return duration;
            },
            duration -> duration);

    private Durations() {}

    private static Duration parse(String text) {
        Matcher matcher = PATTERN.matcher(text);
        Checks.that(!text.isEmpty() && matcher.matches(), "duration", text, EXPECTED);
        Duration sum = Duration.ZERO;
        for (int i = 0; i < UNITS.size(); i++) {
            String count = matcher.group(i + 1);
            if (count != null) {
                sum = sum.plus(UNITS.get(i).multipliedBy(Long.parseLong(count)));
            }
        }
        Checks.that(sum.compareTo(LONGEST) <= 0, "duration", text, "at most 3650d");
        return sum;
    }
}
