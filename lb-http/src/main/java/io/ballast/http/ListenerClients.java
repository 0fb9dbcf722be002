package io.ballast.http;

import io.ballast.http.exchange.Listener;

/** The client connections or sessions of one listener. Thread-safe; {@link #awaitIdle} and {@link #close} block. */
interface ListenerClients {

    Listener listener();

    /** Stops accepting new clients and closes idle connections; running exchanges continue. Does not wait. */
    void drain();

    /**
     * Makes each connection end after its next exchange; idle connections stay open until {@link #drain}. Does
     * not wait.
     */
    default void retire() {
        listener().retire();
    }

    /**
     * Waits until no connections or sessions are open or {@code endNanos} is reached; returns the number that are
     * still open.
     */
    int awaitIdle(long endNanos);

    /** Closes all running connections or sessions. */
    void close();
}
