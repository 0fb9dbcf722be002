package io.ballast.http.serving;

import io.netty.buffer.ByteBuf;

/** Where a response goes that the balancer gives itself, in the notation of HTTP/1.1. Event-loop confined. */
public interface ResponseOutput {

    /** Queues {@code response}, a whole one; consumes it. */
    void write(ByteBuf response);

    /** Sends what was queued on its way. */
    void flush();

    /** How many octets were queued so far, in the notation of the client's protocol. */
    long queuedBytes();
}
