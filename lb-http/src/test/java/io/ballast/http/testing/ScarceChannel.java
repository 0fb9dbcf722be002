package io.ballast.http.testing;

import io.netty.channel.ChannelException;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A channel type with a limited number of instances, as if the process had no more descriptors. */
public final class ScarceChannel extends NioSocketChannel {

    /** The instances left. Each test gets a new counter, since connections of earlier tests may end late. */
    private static volatile AtomicInteger left = new AtomicInteger();

    private static final AtomicInteger REFUSED = new AtomicInteger();

    /** Called by Netty through reflection. */
    public ScarceChannel() {
        AtomicInteger from = left;
        if (from.getAndUpdate(count -> Math.max(0, count - 1)) == 0) {
            REFUSED.incrementAndGet();
            throw new ChannelException("Failed to open a socket.", new IOException("Too many open files"));
        }
        closeFuture().addListener(closed -> from.incrementAndGet());
    }

    /** The number of attempts that failed, in all tests of the process. */
    public static int refused() {
        return REFUSED.get();
    }

    /** Sets how many more channels may be opened. */
    public static void allow(int count) {
        left = new AtomicInteger(count);
    }
}
