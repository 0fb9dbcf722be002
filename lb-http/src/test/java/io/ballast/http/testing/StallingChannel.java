package io.ballast.http.testing;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A connection whose peer takes nothing for a while, as if it were behind a full socket, but is heard. */
public final class StallingChannel extends NioSocketChannel {

    private static volatile Stall stall = new Stall(0);

    /** Nothing more is taken from now on, until so many octets came from the peer after as much was queued as may be. */
    public static Stall until(int octetsRead) {
        Stall begun = new Stall(octetsRead);
        stall = begun;
        return begun;
    }

    /** Time during which nothing is taken. */
    public static final class Stall {

        private final CountDownLatch full = new CountDownLatch(1);
        private final AtomicInteger left;

        private Stall(int octetsRead) {
            left = new AtomicInteger(octetsRead);
        }

        /** Opens when as much is queued as may be. */
        public CountDownLatch full() {
            return full;
        }
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer in) throws Exception {
        Stall now = stall;
        if (now.left.get() <= 0) {
            super.doWrite(in);
            return;
        }
        if (!isWritable()) {
            now.full.countDown();
        }
        incompleteWrite(/* setOpWrite= */ true);
    }

    @Override
    protected int doReadBytes(ByteBuf into) throws Exception {
        int octets = super.doReadBytes(into);
        Stall now = stall;
        if (octets > 0 && now.full.getCount() == 0) {
            eventLoop().execute(() -> now.left.addAndGet(-octets)); // once they were handled
        }
        return octets;
    }
}
