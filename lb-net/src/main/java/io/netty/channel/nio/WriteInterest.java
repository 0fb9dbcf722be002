package io.netty.channel.nio;

/**
 * Clears a channel's write interest. Netty keeps the write interest when a write fails and the channel
 * stays open, and then the selector never blocks. The method that clears the interest is only visible in
 * this package.
 */
public final class WriteInterest {

    private WriteInterest() {}

    public static void clear(AbstractNioByteChannel channel) {
        if (channel.isRegistered()) {
            channel.clearOpWrite();
        }
    }
}
