package io.netty.channel.uring;

/** Reads from a channel without waiting for a readiness event. */
public final class UnpolledRead {

    private UnpolledRead() {}

    /** Reads once, unless a read is in progress or the channel is closed. Must be called on the event loop. */
    public static void schedule(IoUringSocketChannel channel) {
        ((AbstractIoUringChannel.AbstractUringUnsafe) channel.unsafe()).scheduleRead(/* first= */ false);
    }
}
