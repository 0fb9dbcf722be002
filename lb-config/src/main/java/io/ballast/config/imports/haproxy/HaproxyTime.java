package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.EnvironmentReference;
import io.ballast.config.imports.UntranslatableException;
import io.ballast.core.DurationText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts times in HAProxy's notation: a number and a unit; without a unit, the time is in milliseconds. */
final class HaproxyTime {

    private static final Pattern TIME = Pattern.compile("([0-9]{1,12})(us|ms|s|m|h|d)?");
    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "us", ChronoUnit.MICROS,
            "ms", ChronoUnit.MILLIS,
            "s", ChronoUnit.SECONDS,
            "m", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS,
            "d", ChronoUnit.DAYS);
    private static final String NONE = DurationText.of(Duration.ZERO);
    private static final Duration LONGEST = Duration.ofDays(3650);

    private HaproxyTime() {}

    /**
     * Returns a timeout in Ballast's format. Zero means no timeout in HAProxy; it is converted to the longest
     * timeout that Ballast supports.
     */
    static String limit(String text) throws UntranslatableException {
        String written = toDurationText(text);
        return written.equals(NONE) ? DurationText.of(LONGEST) : written;
    }

    /** Returns a note if the converted timeout differs from the original; an empty list if not. */
    static List<String> notes(String text) throws UntranslatableException {
        return toDurationText(text).equals(NONE)
                ? List.of("the timeout cannot be disabled; the longest possible timeout is used")
                : List.of();
    }

    /**
     * Converts a HAProxy time to the duration syntax of Ballast. The result is limited to the longest duration
     * that Ballast accepts. A non-zero time becomes at least one millisecond.
     */
    static String toDurationText(String text) throws UntranslatableException {
        Matcher matcher = TIME.matcher(text);
        if (EnvironmentReference.isIn(text) || !matcher.matches()) {
            throw new UntranslatableException("invalid duration (expected: a value such as 30s)");
        }
        String unit = matcher.group(2) == null ? "ms" : matcher.group(2);
        long count = Long.parseLong(matcher.group(1));
        ChronoUnit of = UNITS.getOrDefault(unit, ChronoUnit.MILLIS);
        if (count / 2 > LONGEST.dividedBy(Duration.of(1, of))) {
            return DurationText.of(LONGEST);
        }
        Duration time = Duration.ofMillis(Duration.of(count, of).toMillis());
        if (time.isZero() && count > 0) {
            time = Duration.ofMillis(1);
        }
        return DurationText.of(time.compareTo(LONGEST) > 0 ? LONGEST : time);
    }
}
