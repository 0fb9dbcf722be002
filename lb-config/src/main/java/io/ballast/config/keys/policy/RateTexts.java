package io.ballast.config.keys.policy;

import io.ballast.config.key.Scalars;
import io.ballast.config.key.Type;
import io.ballast.policy.config.Rate;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rates such as {@code 100/s} and {@code 5/10m}. */
final class RateTexts {

    private static final String SYNTAX = "[1-9][0-9]{0,6}/([1-9][0-9]{0,4})?[smhd]";
    private static final Pattern RATE = Pattern.compile("([0-9]+)/([0-9]*)([smhd])");
    private static final Map<String, Duration> UNITS = Map.of(
            "s", Duration.ofSeconds(1), "m", Duration.ofMinutes(1), "h", Duration.ofHours(1), "d", Duration.ofDays(1));

    /** A rate. Its burst is the number before the slash. */
    static final Type<Rate> TYPE = Scalars.matching(
                    "rate",
                    "a count per period such as 100/s, 5/m or 1000/10m, at most 1000000, period at most 1d",
                    SYNTAX)
            .map(RateTexts::parse, RateTexts::print);

    private RateTexts() {}

    private static Rate parse(String text) {
        Matcher parts = RATE.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("rate: " + text);
        }
        int units = parts.group(2).isEmpty() ? 1 : Integer.parseInt(parts.group(2));
        Duration unit = UNITS.get(parts.group(3));
        return new Rate(Integer.parseInt(parts.group(1)), unit == null ? Duration.ZERO : unit.multipliedBy(units));
    }

    private static String print(Rate rate) {
        long seconds = rate.period().toSeconds();
        for (String unit : new String[] {"d", "h", "m"}) {
            long size = UNITS.get(unit) == null ? 1 : UNITS.get(unit).toSeconds();
            if (seconds % size == 0) {
                return text(rate.count(), seconds / size, unit);
            }
        }
        return text(rate.count(), seconds, "s");
    }

    private static String text(int count, long units, String unit) {
        return count + "/" + (units == 1 ? "" : units) + unit;
    }
}
