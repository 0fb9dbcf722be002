package io.ballast.http.h2.backend;

import io.ballast.http.h2.flow.FrameOutput;

/**
 * What a peer may still send on a connection (RFC 9113 section 5.2); opened again when half of it is used. Event-loop
 * confined.
 */
final class ReceiveWindow {

    private final int whole;
    private long left;

    /** @param whole how much the peer was told at first */
    ReceiveWindow(int whole) {
        this.whole = whole;
        this.left = whole;
    }

    /** So much came; false if it was more than may. */
    boolean take(int bytes, FrameOutput frames) {
        left -= bytes;
        if (left >= 0 && left < whole / 2) {
            frames.windowUpdate(0, (int) (whole - left));
            left = whole;
        }
        return left >= 0;
    }
}
