package io.ballast.http.net;

import io.ballast.core.backend.Backend;

/**
 * A session that can last long: a tunnel, or a session of a {@code tcp} or {@code udp} listener. Event-loop
 * confined.
 */
public interface LongLivedSession {

    /** The backend of the session. */
    Backend backend();

    /** Closes the session on both sides, in any state; does nothing if it has ended. */
    void terminate();
}
