package io.ballast.http.background;

/** A sent background request. Event-loop confined. */
@FunctionalInterface
public interface BackgroundCall {

    /**
     * Ends the request; its handler is no longer called. Does nothing if the request has ended. May be called by the
     * handler. The backend's statistics count it as aborted by the client.
     */
    void abort();
}
