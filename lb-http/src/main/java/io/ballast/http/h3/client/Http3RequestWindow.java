package io.ballast.http.h3.client;

import static java.util.Objects.requireNonNull;

import io.ballast.http.multiplex.RequestWindow;
import org.jspecify.annotations.Nullable;

/**
 * Limits the received data of a stream that is not forwarded yet. Above the limit the stream is not read, so that the
 * QUIC flow control of the client ends. Event-loop confined.
 */
final class Http3RequestWindow implements RequestWindow {

    private @Nullable Http3StreamHandler handler;
    private long heldBytes;
    private boolean isPaused;

    /** Sets the stream whose data is counted. */
    void attach(Http3StreamHandler stream) {
        handler = stream;
    }

    @Override
    public void begin(long stream) {
        heldBytes = 0;
        isPaused = false;
    }

    @Override
    public boolean receive(int bytes) {
        heldBytes += bytes;
        return true;
    }

    /** Whether the stream may be read now; if not, reading resumes after enough credit. */
    boolean mayRead() {
        isPaused = heldBytes >= Http3Connection.MAX_HELD_BYTES;
        return !isPaused;
    }

    @Override
    public void credit(int bytes, boolean hasEnded) {
        heldBytes -= bytes;
        if (isPaused && heldBytes <= Http3Connection.MAX_HELD_BYTES / 2) {
            isPaused = false;
            requireNonNull(handler).resumeReading();
        }
    }
}
