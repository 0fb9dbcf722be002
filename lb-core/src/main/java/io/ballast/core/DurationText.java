package io.ballast.core;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text form of durations, largest unit first: {@code 1m30s}, {@code 500ms}, {@code 0s}. */
public final class DurationText {

    private static final List<Duration> UNITS = List.of(
            Duration.ofDays(1),
            Duration.ofHours(1),
            Duration.ofMinutes(1),
            Duration.ofSeconds(1),
            Duration.ofMillis(1),
            Duration.ofNanos(1000),
            Duration.ofNanos(1));
    private static final List<String> NAMES = List.of("d", "h", "m", "s", "ms", "us", "ns");

    /** A description of the texts that {@link #parse} accepts, for error messages. */
    public static final String EXPECTED = "a duration such as 500ms, 30s or 1m30s";

    /** Ten years; longer durations are mistakes, and some would overflow a {@code long} of nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(3650);

    /** The syntax of a duration, with the units d, h, m, s and ms. */
    private static final Pattern SYNTAX = Pattern.compile(
            "(?:([0-9]{1,9})d)?(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m)?(?:([0-9]{1,9})s)?(?:([0-9]{1,9})ms)?");

    private DurationText() {}

    /**
     * Parses a duration with units, largest first, such as {@code 1m30s}. Throws {@link IllegalArgumentException} if
     * the text is not such a duration, or if the duration is longer than 3650d.
     */
    public static Duration parse(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        Checks.that(!text.isEmpty() && matcher.matches(), "duration", text, EXPECTED);
        Duration sum = Duration.ZERO;
        for (int i = 0; i < matcher.groupCount(); i++) {
            String count = matcher.group(i + 1);
            if (count != null) {
                sum = sum.plus(UNITS.get(i).multipliedBy(Long.parseLong(count)));
            }
        }
        Checks.that(sum.compareTo(LONGEST) <= 0, "duration", text, "at most 3650d");
        return sum;
    }

    /** Returns the duration as text, exact to the nanosecond. */
    public static String of(Duration duration) {
        if (duration.isZero()) {
            return "0s";
        }
        StringBuilder text = new StringBuilder(duration.isNegative() ? "-" : "");
        Duration rest = duration.abs();
        for (int i = 0; i < UNITS.size(); i++) {
            long count = rest.dividedBy(UNITS.get(i));
            rest = rest.minus(UNITS.get(i).multipliedBy(count));
            if (count > 0) {
                text.append(count).append(NAMES.get(i));
            }
        }
        return text.toString();
    }
}
