package io.ballast.policy.cache;

import io.ballast.http.head.ByteClasses;
import io.ballast.policy.cache.rule.HeaderLines;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The conditional and range headers of a GET or HEAD.
 *
 * @param isHead whether the client wants only the head
 * @param ifNoneMatch the lines of {@code If-None-Match}
 * @param ifModifiedSince the value of {@code If-Modified-Since}; null for none
 * @param range the value of {@code Range}; null for none
 * @param ifRange the value of {@code If-Range}; null for none
 */
record ClientConditions(
        boolean isHead,
        List<String> ifNoneMatch,
        @Nullable String ifModifiedSince,
        @Nullable String range,
        @Nullable String ifRange) {

    private static final byte[] IF_NONE_MATCH = ByteClasses.ascii("if-none-match");
    private static final byte[] IF_MODIFIED_SINCE = ByteClasses.ascii("if-modified-since");
    private static final byte[] RANGE = ByteClasses.ascii("range");
    private static final byte[] IF_RANGE = ByteClasses.ascii("if-range");

    /** The names of the headers, in lower case. */
    static final List<String> NAMES = List.of("if-none-match", "if-modified-since", "range", "if-range");

    private static final ClientConditions NONE = new ClientConditions(false, List.of(), null, null, null);

    /** Reads the conditions of a GET or HEAD. */
    static ClientConditions of(RequestView request, boolean isHead) {
        List<String> tags = request.values(IF_NONE_MATCH);
        String since = request.first(IF_MODIFIED_SINCE);
        String range = request.first(RANGE);
        if (tags.isEmpty() && since == null && range == null && !isHead) {
            return NONE;
        }
        return new ClientConditions(isHead, tags, since, range, range == null ? null : request.first(IF_RANGE));
    }

    /** Reads the conditions of a GET. */
    static ClientConditions of(HeaderLines request) {
        return new ClientConditions(
                /* isHead= */ false,
                request.values("if-none-match"),
                request.first("if-modified-since"),
                request.first("range"),
                request.first("if-range"));
    }

    /** Whether a backend may answer without a body or with a part of it, because of a condition or a range. */
    boolean mayLackBody() {
        return !ifNoneMatch.isEmpty() || ifModifiedSince != null || range != null;
    }
}
