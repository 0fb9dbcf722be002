package io.ballast.http.serving;

import io.netty.buffer.ByteBuf;

/** Output for the balancer's own responses, in HTTP/1.1 format. Event-loop confined. */
public interface ResponseOutput {

    /** Queues a complete response; consumes {@code response}. */
    void write(ByteBuf response);

    /**
     * Queues a response with a shared body. The body is not copied, so the queued response needs memory only for
     * its head.
     *
     * @param head consumed
     * @param body must not be modified afterwards
     */
    void write(ByteBuf head, byte[] body);

    /** Flushes the queued responses. */
    void flush();

    /** The total number of bytes queued so far, in the client's protocol. */
    long queuedBytes();
}
