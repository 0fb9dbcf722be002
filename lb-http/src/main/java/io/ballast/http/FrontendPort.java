package io.ballast.http;

import io.ballast.http.exchange.Listener;

/** The port of one listener, and what came in there. Any thread may call; closing and awaiting wait. */
interface FrontendPort {

    Listener listener();

    /** The port that it really has; 0 for a Unix socket. */
    int port();

    /** Takes no new clients; what runs goes on. */
    void stopAccepting();

    /** Waits until nothing runs any more or the time is over; returns how much is left. */
    int awaitIdle(long endNanos);

    /** Takes no new clients and ends what runs. */
    void close();
}
