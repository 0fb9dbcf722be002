package io.ballast.http.files;

import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.HttpTime;
import io.ballast.http.route.request.RoutedRequest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The conditional headers of a request (RFC 9110 section 13.1). Immutable.
 *
 * @param match the value of {@code If-Match}; null if the request has no such header. Likewise, each other component is
 *     the value of one conditional header, or null if the request does not have that header
 */
record FileConditions(
        @Nullable String match,
        @Nullable String noneMatch,
        @Nullable String modifiedSince,
        @Nullable String unmodifiedSince,
        @Nullable String range) {

    private static final byte[] IF_MATCH = ByteClasses.ascii("if-match");
    private static final byte[] IF_NONE_MATCH = ByteClasses.ascii("if-none-match");
    private static final byte[] IF_MODIFIED_SINCE = ByteClasses.ascii("if-modified-since");
    private static final byte[] IF_UNMODIFIED_SINCE = ByteClasses.ascii("if-unmodified-since");
    private static final byte[] IF_RANGE = ByteClasses.ascii("if-range");

    enum Result {
        MET,
        /** The client already has the file; the response is 304. */
        NOT_MODIFIED,
        /** A precondition failed; the response is 412. */
        FAILED
    }

    static FileConditions of(RoutedRequest request) {
        return new FileConditions(
                FileRequest.header(request, IF_MATCH),
                FileRequest.header(request, IF_NONE_MATCH),
                FileRequest.header(request, IF_MODIFIED_SINCE),
                FileRequest.header(request, IF_UNMODIFIED_SINCE),
                FileRequest.header(request, IF_RANGE));
    }

    /**
     * Evaluates the conditions in the order of RFC 9110 section 13.2.2.
     *
     * @param tag the strong entity tag of the file, with its quotation marks
     * @param modified the time of its last change, in whole seconds
     */
    Result evaluate(String tag, Instant modified) {
        if (match != null) {
            if (!lists(match, tag, /* weak= */ false)) {
                return Result.FAILED;
            }
        } else if (unmodifiedSince != null) {
            Instant limit = time(unmodifiedSince);
            if (limit != null && modified.isAfter(limit)) {
                return Result.FAILED;
            }
        }
        if (noneMatch != null) {
            return lists(noneMatch, tag, /* weak= */ true) ? Result.NOT_MODIFIED : Result.MET;
        }
        Instant known = time(modifiedSince);
        return known != null && !modified.isAfter(known) ? Result.NOT_MODIFIED : Result.MET;
    }

    /**
     * Whether a range may be sent: the request has no {@code If-Range}, or its value matches this version of the file.
     */
    boolean allowsRange(String tag, Instant modified) {
        if (range == null) {
            return true;
        }
        return range.startsWith("\"") ? range.equals(tag) : modified.equals(time(range));
    }

    /** Parses a date header; null if it is missing or invalid, because an invalid date must be ignored. */
    private static @Nullable Instant time(@Nullable String text) {
        long millis =
                HttpTime.parse(text, System.currentTimeMillis()); // only years of two digits need the current time
        return millis == HttpTime.INVALID ? null : Instant.ofEpochMilli(millis);
    }

    /**
     * Whether a list of entity tags contains the tag.
     *
     * @param weak whether weak tags count (RFC 9110 section 8.8.3.2)
     */
    private static boolean lists(String list, String tag, boolean weak) {
        if (list.strip().equals("*")) {
            return true;
        }
        int at = 0;
        while (at < list.length()) {
            boolean isWeak = list.startsWith("W/", at);
            int start = isWeak ? at + 2 : at;
            if (start < list.length() && list.charAt(start) == '"') {
                int end = list.indexOf('"', start + 1);
                if (end < 0) {
                    return false;
                }
                if ((weak || !isWeak)
                        && list.regionMatches(start, tag, 0, tag.length())
                        && end + 1 - start == tag.length()) {
                    return true;
                }
                at = end + 1;
            } else {
                at++;
            }
        }
        return false;
    }
}
