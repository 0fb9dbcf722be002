package io.ballast.http.transform;

import java.nio.ByteBuffer;

/** Receives the bytes of a changed response body. Event-loop confined. */
public interface BodyOutput {

    /** The minimum number of bytes that {@link #room} provides. */
    int MIN_ROOM = 64;

    /**
     * Returns a buffer for the next bytes, with at least {@value #MIN_ROOM} bytes between its position and its limit.
     * It is valid until the next call of a method of this object.
     */
    ByteBuffer room();

    /** Adds {@code bytes} bytes, which the caller has written at the position of the last {@link #room}. */
    void written(int bytes);
}
