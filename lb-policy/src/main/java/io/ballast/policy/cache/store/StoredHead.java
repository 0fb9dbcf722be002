package io.ballast.policy.cache.store;

import io.ballast.policy.cache.rule.HeaderLines;
import io.ballast.policy.cache.rule.ResponseMetadata;
import io.ballast.policy.cache.rule.Validity;
import java.util.List;

/**
 * The head of a stored response. Immutable.
 *
 * @param metadata the parts of the head that matter to a cache
 * @param validity how long the response may be used
 * @param lines the stored header lines, which all clients receive; without {@code Content-Length} and {@code Age}
 * @param text the same lines as bytes, each with its line end
 * @param tags the tags that operators can use to remove the response
 * @param receivedNanos when the head arrived, on the monotonic clock
 */
@SuppressWarnings("ArrayRecordComponent") // records are never compared
public record StoredHead(
        ResponseMetadata metadata,
        Validity validity,
        HeaderLines lines,
        byte[] text,
        List<String> tags,
        long receivedNanos) {

    /** The estimated memory of the Java objects of a head, without its text. */
    private static final int OBJECT_BYTES = 400;

    /** The estimated memory of the Java objects of a header line, without its text. */
    private static final int LINE_BYTES = 100;

    /** The estimated memory of the head in bytes. The text counts twice, as bytes and as strings. */
    public long memoryBytes() {
        return OBJECT_BYTES + (long) LINE_BYTES * lines.lines().size() + 2L * text.length;
    }

    /** The time since the head arrived. */
    public long residentNanos(long now) {
        return Math.max(0, now - receivedNanos);
    }
}
