package io.ballast.http.files;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Times in HTTP headers (RFC 9110 section 5.6.7). */
final class HeaderTime {

    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);

    /** The obsolete formats of RFC 850 and of {@code asctime}, which a recipient must accept. */
    private static final List<DateTimeFormatter> ACCEPTED = List.of(
            FORMAT,
            new DateTimeFormatterBuilder()
                    .appendPattern("EEEE, dd-MMM-")
                    .appendValueReduced(ChronoField.YEAR, 2, 2, 1970)
                    .appendPattern(" HH:mm:ss 'GMT'")
                    .toFormatter(Locale.US),
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.US));

    private static final int MAX_LENGTH = 40;

    private HeaderTime() {}

    static String format(Instant time) {
        return FORMAT.format(time.atOffset(ZoneOffset.UTC));
    }

    /** Returns the time; null if it is invalid. */
    static @Nullable Instant parse(String text) {
        if (text.length() > MAX_LENGTH) {
            return null;
        }
        for (DateTimeFormatter format : ACCEPTED) {
            Instant time = parse(text, format);
            if (time != null) {
                return time;
            }
        }
        return null;
    }

    private static @Nullable Instant parse(String text, DateTimeFormatter format) {
        try {
            return LocalDateTime.parse(text, format).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            return null;
        }
    }
}
