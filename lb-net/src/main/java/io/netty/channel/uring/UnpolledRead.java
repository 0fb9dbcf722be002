package io.netty.channel.uring;

/** Reads from a channel without waiting until the system says that there is something to read. */
public final class UnpolledRead {

    private UnpolledRead() {}

    /** Reads once, unless a read is under way or the channel is closed. To be called on the event loop. */
    public static void schedule(IoUringSocketChannel channel) {
        ((AbstractIoUringChannel.AbstractUringUnsafe) channel.unsafe()).scheduleRead(/* first= */ false);
    }
}
