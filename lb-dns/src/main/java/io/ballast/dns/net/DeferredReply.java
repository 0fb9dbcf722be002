package io.ballast.dns.net;

import io.ballast.dns.forward.ReplyPath;
import io.netty.channel.EventLoop;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;

/**
 * The reply path to a client whose socket or connection belongs to an event loop. Any thread may send; the
 * event loop writes the response, but never before it has finished processing the query.
 */
public abstract class DeferredReply implements ReplyPath, Runnable {

    private static final byte[] NONE = {};

    private final EventLoop eventLoop;
    private byte[] response = NONE;

    protected DeferredReply(EventLoop eventLoop) {
        this.eventLoop = eventLoop;
    }

    @Override
    public final void send(byte[] message, int length) {
        response = Arrays.copyOf(message, length);
        try {
            eventLoop.execute(this);
        } catch (RejectedExecutionException e) {
            // Drop the response: the event loop has ended, and all its sockets are closed.
        }
    }

    @Override
    public final void run() {
        writeResponse(response);
    }

    /** Writes the response if the client is still connected. Called on the event loop. */
    protected abstract void writeResponse(byte[] message);
}
