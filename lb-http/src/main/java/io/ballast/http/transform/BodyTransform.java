package io.ballast.http.transform;

import java.nio.ByteBuffer;

/**
 * Changes the body of one response. The body arrives in pieces of at most {@value #MAX_PIECE_BYTES} bytes, without
 * chunked coding. Event-loop confined.
 */
public interface BodyTransform {

    /** The maximum length of a piece, which bounds the time that one call may take. */
    int MAX_PIECE_BYTES = 16 * 1024;

    /**
     * The maximum number of bytes of one body in a turn of the event loop. Compressing them with gzip takes about 0.5
     * ms.
     */
    int MAX_TURN_BYTES = 64 * 1024;

    /** Reads all bytes of {@code piece}, which is valid only during the call. May write the resulting output later. */
    void add(ByteBuffer piece, BodyOutput output);

    /** Writes all output that the client needs to decode the bytes received so far. */
    void flush(BodyOutput output);

    /** Writes the rest of the body. Only {@link #release} follows. */
    void end(BodyOutput output);

    /**
     * Whether the written body has the same length as the received body, for example because the transform only records
     * it. If so, {@code Content-Length} and the framing are unchanged. The result is constant.
     */
    default boolean keepsLength() {
        return false;
    }

    /** Releases all resources, after the end of the body or instead of it. Called once. */
    void release();
}
