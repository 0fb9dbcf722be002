package io.ballast.dns.net;

import io.ballast.dns.forward.ReplyPath;
import io.netty.channel.EventLoop;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;

/**
 * The way back to a client that an event loop serves: any thread may send, and the response leaves on the event loop,
 * never before the query's turn there is over.
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
            // The event loop has ended, and all its sockets are closed.
        }
    }

    @Override
    public final void run() {
        leave(response);
    }

    /** Writes the response if the client is still connected. On the event loop. */
    protected abstract void leave(byte[] message);
}
