package io.ballast.http.exchange;

import io.netty.buffer.ByteBuf;

/** A connection to a backend, as seen by an exchange. Event-loop confined. */
public interface BackendSide {

    /**
     * Whether the connection has already served a request. The backend may close such a connection as idle at
     * the moment when the next request is sent.
     */
    boolean isReused();

    /**
     * Whether the protocol itself marks the end of a body, as HTTP/2 does. A body of unknown length then needs
     * no chunked coding. The caller may send such a body with or without chunked coding.
     */
    default boolean framesBodies() {
        return false;
    }

    /**
     * Sends the request head, which is in HTTP/1.1 format, and the body bytes that follow it in {@code head}.
     * Takes ownership of {@code head}.
     *
     * @param headBytes the length of the head
     * @param inChunks whether the caller passes the body with chunked coding, if the head announces a body
     */
    void sendHead(ByteBuf head, int headBytes, boolean inChunks);

    /** Sends the trailer lines of a body that was not chunked; called before {@link #endRequest}. */
    default void sendTrailers(byte[] lines) {}

    /** Sends a part of the request's body; consumes {@code data}. */
    void send(ByteBuf data);

    /** Flushes the request, which is now complete. The exchange then expects the response. */
    void endRequest();

    /** Whether the connection accepts more data without excessive queueing. */
    boolean isWritable();

    /** Number of bytes that were passed to this connection and that the operating system has not accepted yet. */
    long pendingBytes();

    /** Stops reading from the backend while the client is slow, or resumes reading. */
    void setReading(boolean on);

    /** Detaches the exchange and closes the connection. */
    void abort();
}
