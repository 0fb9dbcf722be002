package io.ballast.http.serving;

import io.netty.buffer.ByteBuf;

/** Where a response goes that the balancer gives itself, in the notation of HTTP/1.1. Event-loop confined. */
public interface ResponseOutput {

    /** Queues {@code response}, a whole one; consumes it. */
    void write(ByteBuf response);

    /**
     * Queues a response whose body is sent to others, too, and so need not take memory of its own while it waits.
     *
     * @param head which it consumes
     * @param body not to be written to from now on
     */
    void write(ByteBuf head, byte[] body);

    /** Sends what was queued on its way. */
    void flush();

    /** How many octets were queued so far, in the notation of the client's protocol. */
    long queuedBytes();
}
