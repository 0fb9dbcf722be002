package io.ballast.policy.cache.rule;

import io.ballast.http.head.HttpTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a response head that matter to a cache.
 *
 * @param status the status
 * @param directives the directives of {@code CDN-Cache-Control} (RFC 9213), else of {@code Cache-Control}
 * @param lifetimeOfExpires the seconds from {@code Date} to {@code Expires}; {@link CacheDirectives#ABSENT} without
 *     {@code Expires}, and if {@code CDN-Cache-Control} replaces it
 * @param dateMillis the time of {@code Date}, or the time of arrival if the response has no {@code Date}
 * @param ageSeconds the age of the response at its arrival (RFC 9111 section 4.2.3)
 * @param tag the entity tag; empty for none
 * @param lastModified the text of {@code Last-Modified}; empty for none
 * @param lastModifiedMillis the time of {@code Last-Modified}, or {@link HttpTime#INVALID}
 * @param vary the request headers that select the response
 * @param setsCookie whether the response contains {@code Set-Cookie}
 */
public record ResponseMetadata(
        int status,
        CacheDirectives directives,
        int lifetimeOfExpires,
        long dateMillis,
        int ageSeconds,
        String tag,
        String lastModified,
        long lastModifiedMillis,
        VaryRule vary,
        boolean setsCookie) {

    private static final int MAX_AGE_DIGITS = 18;
    private static final long MILLIS = 1000;

    /**
     * Reads the head of a response.
     *
     * @param requestMillis when its request was sent, in milliseconds since 1970
     * @param responseMillis when its head arrived
     */
    public static ResponseMetadata of(int status, HeaderLines lines, long requestMillis, long responseMillis) {
        CacheDirectives targeted = TargetedField.parse(lines.values("cdn-cache-control"));
        CacheDirectives directives = targeted == null ? CacheDirectives.parse(lines.values("cache-control")) : targeted;
        long date = HttpTime.parse(lines.first("date"), responseMillis);
        long created = date == HttpTime.INVALID ? responseMillis : date;
        String lastModified = orEmpty(lines.first("last-modified"));
        return new ResponseMetadata(
                status,
                directives,
                targeted == null ? lifetimeOfExpires(lines, created) : CacheDirectives.ABSENT,
                created,
                age(lines, created, requestMillis, responseMillis),
                orEmpty(lines.first("etag")),
                lastModified,
                HttpTime.parse(lastModified, responseMillis),
                VaryRule.parse(lines.values("vary")),
                lines.has("set-cookie"));
    }

    private static String orEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }

    /**
     * Returns the seconds from {@code Date} to {@code Expires}. An invalid {@code Expires}, such as 0, counts as a time
     * in the past (RFC 9111 section 5.3).
     */
    private static int lifetimeOfExpires(HeaderLines lines, long dateMillis) {
        String value = lines.first("expires");
        if (value == null) {
            return CacheDirectives.ABSENT;
        }
        long expires = HttpTime.parse(value, dateMillis);
        return expires == HttpTime.INVALID ? 0 : limited((expires - dateMillis) / MILLIS);
    }

    private static int age(HeaderLines lines, long dateMillis, long requestMillis, long responseMillis) {
        long apparent = Math.max(0, responseMillis - dateMillis) / MILLIS;
        long delay = Math.max(0, responseMillis - requestMillis) / MILLIS;
        return limited(Math.max(apparent, ageField(lines) + delay));
    }

    /** Returns the first element of {@code Age}; 0 if it is not a number (RFC 9111 section 5.1). */
    private static long ageField(HeaderLines lines) {
        String value = lines.first("age");
        List<String> elements = value == null ? List.of() : ListElements.of(value);
        boolean isNumber = !elements.isEmpty() && elements.get(0).matches("[0-9]{1," + MAX_AGE_DIGITS + "}");
        return isNumber ? Math.min(CacheDirectives.MAX_SECONDS, Long.parseLong(elements.get(0))) : 0;
    }

    private static int limited(long seconds) {
        return (int) Math.max(0, Math.min(seconds, CacheDirectives.MAX_SECONDS));
    }

    /** Whether the response can be revalidated. */
    public boolean hasValidator() {
        return !tag.isEmpty() || lastModifiedMillis != HttpTime.INVALID;
    }
}
