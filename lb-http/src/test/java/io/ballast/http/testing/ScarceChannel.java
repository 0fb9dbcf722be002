package io.ballast.http.testing;

import io.netty.channel.ChannelException;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A connection of which there are only so many at once, as if the process had no descriptor for another one. */
public final class ScarceChannel extends NioSocketChannel {

    /** Another one for each test: connections of the last one may end late. */
    private static volatile AtomicInteger left = new AtomicInteger();

    /** Made by reflection, as Netty does it. */
    public ScarceChannel() {
        AtomicInteger from = left;
        if (from.getAndUpdate(count -> Math.max(0, count - 1)) == 0) {
            throw new ChannelException("Failed to open a socket.", new IOException("Too many open files"));
        }
        closeFuture().addListener(closed -> from.incrementAndGet());
    }

    /** How many may be open from now on, beside those that are. */
    public static void allow(int count) {
        left = new AtomicInteger(count);
    }
}
