package io.ballast.http.h2.client;

import io.ballast.http.h2.wire.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * How much has come of a request's body: against what its head announced, and against the window of its stream. Event-loop
 * confined.
 */
final class ReceivedBody {

    private static final long UNKNOWN = -1;

    private final Http2Connection connection;
    private int stream;
    private long expected;
    private long received;
    private int window;
    private int uncredited;

    ReceivedBody(Http2Connection connection) {
        this.connection = connection;
    }

    /** A stream begins. */
    void begin(int id) {
        stream = id;
        expected = UNKNOWN;
        received = 0;
        window = Http2Connection.STREAM_WINDOW;
        uncredited = 0;
    }

    /** @param length as the head says; negative if it says nothing */
    void expect(long length) {
        expected = length;
    }

    /** A frame came with {@code length} octets of body; returns what is wrong with it, or null. */
    @Nullable ErrorCode receive(int length, int frameBytes, boolean endsStream) {
        window -= frameBytes;
        if (window < 0) {
            return ErrorCode.FLOW_CONTROL_ERROR;
        }
        received += length;
        boolean wrong = expected >= 0 && (received > expected || (endsStream && received != expected));
        return wrong ? ErrorCode.PROTOCOL_ERROR : null;
    }

    /** Whether what came is all that was announced. */
    boolean isWhole() {
        return expected < 0 || received == expected;
    }

    /** How many octets of it came. */
    long bytes() {
        return received;
    }

    /** So many octets were passed on, or are not wanted: the client may send as many more, unless it has said its last. */
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
