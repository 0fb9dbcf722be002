package io.ballast.http.policy;

/**
 * The body of a request, or its start, for a policy. The array must not be modified.
 *
 * @param bytes the bytes without chunked coding
 * @param isComplete whether this is the whole body
 */
@SuppressWarnings("ArrayRecordComponent") // bodies are never compared
public record RequestBody(byte[] bytes, boolean isComplete) {

    /** The value for a request without a body. */
    public static final RequestBody EMPTY = new RequestBody(new byte[0], /* isComplete= */ true);

    /** A body whose announced length is too large, so that none of it was read. */
    public static final RequestBody TOO_LARGE = new RequestBody(new byte[0], /* isComplete= */ false);
}
