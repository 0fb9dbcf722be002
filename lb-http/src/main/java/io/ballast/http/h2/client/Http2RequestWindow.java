package io.ballast.http.h2.client;

import io.ballast.http.h2.flow.FrameOutput;
import io.ballast.http.multiplex.RequestWindow;

/**
 * The receive window of a stream (RFC 9113 section 5.2). Sends a window update when half a window of credit has
 * accumulated. Event-loop confined.
 */
final class Http2RequestWindow implements RequestWindow {

    private final FrameOutput frames;
    private int stream;
    private int window;
    private int uncredited;

    Http2RequestWindow(FrameOutput frames) {
        this.frames = frames;
    }

    @Override
    public void begin(long id) {
        stream = (int) id;
        window = Http2Connection.STREAM_WINDOW;
        uncredited = 0;
    }

    @Override
    public boolean receive(int bytes) {
        window -= bytes;
        return window >= 0;
    }

    @Override
    public void credit(int bytes, boolean hasEnded) {
        uncredited += bytes;
        if (uncredited >= Http2Connection.STREAM_WINDOW / 2 && !hasEnded) {
            frames.windowUpdate(stream, uncredited);
            frames.flushSoon();
            window += uncredited;
            uncredited = 0;
        }
    }
}
