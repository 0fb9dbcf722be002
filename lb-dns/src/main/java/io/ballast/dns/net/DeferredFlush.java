package io.ballast.dns.net;

import io.netty.channel.Channel;

/**
 * Flushes a channel once for all deferred responses that are written together.
 *
 * <p>Thread safety: confined to the channel's event loop.
 */
public final class DeferredFlush implements Runnable {

    private final Channel channel;
    private boolean isScheduled;

    public DeferredFlush(Channel channel) {
        this.channel = channel;
    }

    /** Schedules a flush, which runs after the tasks that the event loop has already queued. */
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
