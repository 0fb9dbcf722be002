package io.ballast.http.h2.client;

import io.ballast.http.h2.wire.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * Counts the received body bytes of a request, and checks them against the announced length and the stream
 * window. Event-loop confined.
 */
final class RequestBodyCounter {

    private static final long UNKNOWN = -1;

    private final Http2Connection connection;
    private int stream;
    private long expectedBytes;
    private long receivedBytes;
    private int window;
    private int uncredited;

    RequestBodyCounter(Http2Connection connection) {
        this.connection = connection;
    }

    /** Starts a stream. */
    void begin(int id) {
        stream = id;
        expectedBytes = UNKNOWN;
        receivedBytes = 0;
        window = Http2Connection.STREAM_WINDOW;
        uncredited = 0;
    }

    /** @param length content length of the head; negative if unknown */
    void setExpectedLength(long length) {
        expectedBytes = length;
    }

    /** Counts a frame with {@code length} bytes of body; returns the error, or null. */
    @Nullable ErrorCode receive(int length, int frameBytes, boolean endsStream) {
        window -= frameBytes;
        if (window < 0) {
            return ErrorCode.FLOW_CONTROL_ERROR;
        }
        receivedBytes += length;
        boolean wrong =
                expectedBytes >= 0 && (receivedBytes > expectedBytes || (endsStream && receivedBytes != expectedBytes));
        return wrong ? ErrorCode.PROTOCOL_ERROR : null;
    }

    /** Whether the received length equals the announced length. */
    boolean isComplete() {
        return expectedBytes < 0 || receivedBytes == expectedBytes;
    }

    /** Body bytes received. */
    long bytes() {
        return receivedBytes;
    }

    /**
     * Gives the client credit for {@code bytes} that were forwarded or discarded. Sends a window update when half
     * a window has accumulated, unless the stream has ended.
     */
    void credit(int bytes, boolean hasEnded) {
        uncredited += bytes;
        if (uncredited >= Http2Connection.STREAM_WINDOW / 2 && !hasEnded) {
            connection.frames().windowUpdate(stream, uncredited);
            connection.frames().flushSoon();
            window += uncredited;
            uncredited = 0;
        }
    }
}
