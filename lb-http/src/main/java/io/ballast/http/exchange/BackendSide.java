package io.ballast.http.exchange;

import io.netty.buffer.ByteBuf;

/** A connection to a backend, as an exchange uses it. Event-loop confined. */
public interface BackendSide {

    /** Whether it served a request before, so that the backend may have closed it at the same moment. */
    boolean isReused();

    /** Sends a part of the request; consumes {@code data}. */
    void send(ByteBuf data);

    /** Flushes; the request is complete, so the response is due. */
    void requestSent();

    /** Whether more can be sent without piling up. */
    boolean isWritable();

    /** Octets that were given to it to send, and that the system has not taken yet. */
    long pendingBytes();

    /** Stops or resumes reading from the backend, while the client is slow. */
    void reading(boolean on);

    /** Lets go of the exchange and closes the connection. */
    void abort();
}
