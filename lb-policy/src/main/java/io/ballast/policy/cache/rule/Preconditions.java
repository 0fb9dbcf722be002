package io.ballast.policy.cache.rule;

import io.ballast.http.head.HttpTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates the preconditions of a GET or HEAD against a stored response (RFC 9110 section 13, RFC 9111 section 4.3.2). */
public final class Preconditions {

    private Preconditions() {}

    /**
     * Whether the client already has the stored response, so that it gets 304.
     *
     * @param ifNoneMatch the lines of {@code If-None-Match}; takes precedence
     * @param ifModifiedSince the value of {@code If-Modified-Since}; null for none
     * @param tag the stored entity tag; empty for none
     * @param modifiedMillis the stored {@code Last-Modified}, else the stored {@code Date}
     */
    public static boolean isNotModified(
            List<String> ifNoneMatch,
            @Nullable String ifModifiedSince,
            String tag,
            long modifiedMillis,
            long nowMillis) {
        if (!ifNoneMatch.isEmpty()) {
            return EntityTag.isListed(ifNoneMatch, tag);
        }
        long since = HttpTime.parse(ifModifiedSince, nowMillis);
        return since != HttpTime.INVALID && modifiedMillis != HttpTime.INVALID && modifiedMillis <= since;
    }

    /**
     * Whether a range may be taken from the stored response (RFC 9110 section 13.1.5): only if the client's validator
     * is strong and equal to the stored one.
     *
     * @param lastModified the text of the stored {@code Last-Modified}; empty for none
     * @param dateMillis the stored {@code Date}
     */
    public static boolean allowsRange(String ifRange, String tag, String lastModified, long dateMillis) {
        if (ifRange.startsWith("\"")) {
            return ifRange.equals(tag);
        }
        // A date is strong if the response was created at least a second later (RFC 9110 section 8.8.2.2)
        long modified = HttpTime.parse(lastModified, dateMillis);
        return ifRange.equals(lastModified) && modified != HttpTime.INVALID && modified + 1000 <= dateMillis;
    }
}
