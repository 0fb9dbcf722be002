package io.ballast.http;

import io.ballast.http.exchange.Listener;

/** The clients of one listener. Any thread may call; closing and awaiting wait. */
interface Clients {

    Listener listener();

    /** Takes no new ones, and ends those that wait for nothing; what runs goes on. Does not wait. */
    void drain();

    /** Has each connection end with its next exchange; those that are unused stay until {@link #drain}. Does not wait. */
    default void retire() {
        listener().retire();
    }

    /** Waits until nothing runs any more or the time is over; returns how much is left. */
    int awaitIdle(long endNanos);

    /** Ends what runs. */
    void close();
}
