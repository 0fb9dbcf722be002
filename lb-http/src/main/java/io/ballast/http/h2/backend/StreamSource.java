package io.ballast.http.h2.backend;

import io.ballast.http.exchange.Exchange;

/** Where exchanges get their streams to one backend from, on one event loop. Event-loop confined. */
interface StreamSource {

    /** Gives the exchange a stream, at once or when a connection is made. */
    void open(Exchange exchange, boolean fresh);

    /** Closes every connection that no exchange uses. */
    void closeIdle();
}
