package io.ballast.dns.net;

import io.netty.channel.Channel;

/**
 * Flushes a channel once for all the late responses that are written together.
 *
 * <p>Thread safety: confined to the channel's event loop.
 */
public final class DeferredFlush implements Runnable {

    private final Channel channel;
    private boolean isScheduled;

    public DeferredFlush(Channel channel) {
        this.channel = channel;
    }

    /** Requests a flush, after the queued tasks of the event loop. */
    public void schedule() {
        if (!isScheduled) {
            isScheduled = true;
            channel.eventLoop().execute(this);
        }
    }

    @Override
    public void run() {
        isScheduled = false;
        channel.flush();
    }
}
