package io.ballast.http.h2.backend;

import io.ballast.core.config.BackendConnections;
import io.ballast.http.h2.flow.FrameOutput;
import io.ballast.http.h2.wire.Setting;

/** Writes the client connection preface, SETTINGS and window update (RFC 9113 section 3.4). Stateless. */
final class ConnectionPreface {

    private ConnectionPreface() {}

    static void write(BackendConnections settings, FrameOutput frames) {
        frames.preface();
        frames.settings(
                Setting.ENABLE_PUSH,
                0,
                Setting.INITIAL_WINDOW_SIZE,
                Http2BackendConnection.STREAM_WINDOW,
                Setting.MAX_HEADER_LIST_SIZE,
                settings.responseLimits().headBytes());
        frames.windowUpdate(0, Http2BackendConnection.CONNECTION_WINDOW - Setting.DEFAULT_WINDOW);
        frames.flushSoon();
    }
}
