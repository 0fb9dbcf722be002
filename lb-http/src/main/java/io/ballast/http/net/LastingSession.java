package io.ballast.http.net;

import io.ballast.core.backend.Backend;

/** A tunnel, or a session of a {@code tcp} or {@code udp} listener. Event-loop confined. */
public interface LastingSession {

    /** To whom it leads. */
    Backend backend();

    /** Ends it at both sides, whatever they are at; does nothing if it is over. */
    void cut();
}
