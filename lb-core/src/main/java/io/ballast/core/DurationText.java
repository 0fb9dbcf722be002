package io.ballast.core;

import java.time.Duration;
import java.util.List;

/** Durations as people write them, largest unit first: {@code 1m30s}, {@code 500ms}, {@code 0s}. */
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

    private DurationText() {}

    /** Returns the text, exact to the nanosecond. */
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
