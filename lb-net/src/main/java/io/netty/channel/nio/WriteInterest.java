package io.netty.channel.nio;

/**
 * Ends a channel's wait until it can write. Netty leaves the wait on when a write fails and the channel stays open, and the
 * selector then returns at once, again and again. The method that ends it is visible in this package alone.
 */
public final class WriteInterest {

    private WriteInterest() {}

    public static void clear(AbstractNioByteChannel channel) {
        if (channel.isRegistered()) {
            channel.clearOpWrite();
        }
    }
}
