package io.ballast.filter;

/**
 * The access of a filter to request bodies. Immutable.
 *
 * @param maxBytes the maximum number of bytes that the filter reads; 0 for no access. It must not exceed {@code
 *     max_body} of the configuration and 16 MiB
 * @param truncates whether the filter gets the first {@code maxBytes} bytes of a longer body; otherwise, such a request
 *     is answered with 413, and the filter is not called
 */
public record BodyAccess(int maxBytes, boolean truncates) {

    /** The maximum of {@link #maxBytes}. */
    public static final int MAX_BYTES = 16 << 20;

    /** The filter reads no bodies. */
    public static final BodyAccess NONE = new BodyAccess(0, false);

    /** @throws IllegalArgumentException if {@code maxBytes} is negative or larger than {@link #MAX_BYTES} */
    public BodyAccess {
        if (maxBytes < 0 || maxBytes > MAX_BYTES) {
            throw new IllegalArgumentException("maxBytes: " + maxBytes + " (expected: 0.." + MAX_BYTES + ")");
        }
    }

    /** Lets the filter read whole bodies; a request with a longer body is answered with 413. */
    public static BodyAccess whole(int maxBytes) {
        return new BodyAccess(maxBytes, false);
    }

    /** Lets the filter read at most the first {@code maxBytes} bytes of each body, regardless of its length. */
    public static BodyAccess start(int maxBytes) {
        return new BodyAccess(maxBytes, true);
    }
}
