package io.ballast.http.h2.backend;

import io.ballast.http.h2.flow.FrameOutput;

/** The receive window of a connection (RFC 9113 section 5.2), updated when half of it is used. Event-loop confined. */
final class ReceiveWindow {

    private final int whole;
    private long left;

    /** @param whole initial size of the window in bytes */
    ReceiveWindow(int whole) {
        this.whole = whole;
        this.left = whole;
    }

    /** Subtracts {@code bytes} from the window; false if the peer exceeded the window. */
    boolean consume(int bytes, FrameOutput frames) {
        left -= bytes;
        if (left >= 0 && left < whole / 2) {
            frames.windowUpdate(0, (int) (whole - left));
            left = whole;
        }
        return left >= 0;
    }
}
