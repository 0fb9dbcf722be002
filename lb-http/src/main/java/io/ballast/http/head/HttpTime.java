package io.ballast.http.head;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses and writes dates in HTTP headers (RFC 9110 section 5.6.7), in the three formats that recipients must accept.
 * Parsing is strict, because a date that only some recipients understand must count as invalid. As exceptions, the case
 * of letters is ignored, and the weekday is not checked against the date.
 */
public final class HttpTime {

    /** The result for a text that is not a date. */
    public static final long INVALID = Long.MIN_VALUE;

    private static final int MAX_LENGTH = 40;
    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
    private static final String MONTH = "(?<month>[a-z]{3})";
    private static final String TIME = "(?<hour>[0-9]{2}):(?<minute>[0-9]{2}):(?<second>[0-9]{2})";
    private static final DateTimeFormatter SENT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);
    private static final Pattern FIXED =
            Pattern.compile("[a-z]{3}, (?<day>[0-9]{2}) " + MONTH + " (?<year>[0-9]{4}) " + TIME + " gmt");
    private static final Pattern RFC_850 =
            Pattern.compile("[a-z]{6,9}, (?<day>[0-9]{2})-" + MONTH + "-(?<year>[0-9]{2}) " + TIME + " gmt");
    private static final Pattern ASCTIME =
            Pattern.compile("[a-z]{3} " + MONTH + " (?<day>[ 0-9][0-9]) " + TIME + " (?<year>[0-9]{4})");

    private HttpTime() {}

    /** Returns a time, in milliseconds since 1970, in the format that senders use. */
    public static String format(long millis) {
        return SENT.format(Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC));
    }

    /**
     * Parses a date.
     *
     * @param nowMillis the current time in milliseconds since 1970, which determines the century of a year of two
     *     digits
     * @return milliseconds since 1970; {@link #INVALID} if {@code text} is null or not a date
     */
    public static long parse(@Nullable String text, long nowMillis) {
        if (text == null || text.length() > MAX_LENGTH) {
            return INVALID;
        }
        String lowerCase = text.toLowerCase(Locale.ROOT);
        for (Pattern format : List.of(FIXED, RFC_850, ASCTIME)) {
            Matcher matcher = format.matcher(lowerCase);
            if (matcher.matches()) {
                return millis(matcher, nowMillis);
            }
        }
        return INVALID;
    }

    private static long millis(Matcher matcher, long nowMillis) {
        String year = matcher.group("year");
        try {
            int fullYear = year.length() == 2 ? fullYear(Integer.parseInt(year), nowMillis) : Integer.parseInt(year);
            return LocalDateTime.of(
                            fullYear,
                            MONTHS.indexOf(matcher.group("month")) + 1,
                            Integer.parseInt(matcher.group("day").strip()),
                            Integer.parseInt(matcher.group("hour")),
                            Integer.parseInt(matcher.group("minute")),
                            Math.min(59, Integer.parseInt(matcher.group("second")))) // a leap second is read as 59
                    .toInstant(ZoneOffset.UTC)
                    .toEpochMilli();
        } catch (DateTimeException e) {
            return INVALID;
        }
    }

    /**
     * Returns the year with these last two digits in the current century, or 100 years earlier if that is more than 50
     * years in the future.
     */
    private static int fullYear(int lastDigits, long nowMillis) {
        int now = Instant.ofEpochMilli(nowMillis).atOffset(ZoneOffset.UTC).getYear();
        int year = now - now % 100 + lastDigits;
        return year > now + 50 ? year - 100 : year;
    }
}
