package io.ballast.http.exchange;

import io.netty.buffer.ByteBuf;

/** A connection to a backend, as an exchange uses it. Event-loop confined. */
public interface BackendSide {

    /** Whether it served a request before, so that the backend may have closed it at the same moment. */
    boolean isReused();

    /**
     * Whether its protocol tells where a body ends, so that one of unknown length needs no chunks. If it does, a body may be
     * sent either way.
     */
    default boolean framesBodies() {
        return false;
    }

    /**
     * Sends the head of the request in the notation of HTTP/1.1, and what follows it in {@code head} of the body; consumes
     * {@code head}.
     *
     * @param headBytes how long the head is
     * @param inChunks whether the body is given in chunks, if the head says that it has some
     */
    void sendHead(ByteBuf head, int headBytes, boolean inChunks);

    /** The lines of the trailers of a body that was not sent in chunks; before {@link #requestSent}. */
    default void trailers(byte[] lines) {}

    /** Sends a part of the request's body; consumes {@code data}. */
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
