package io.ballast.http.testing;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A channel whose writes can be stalled, as by a full socket, while reads continue. */
public final class StallingChannel extends NioSocketChannel {

    private static volatile Stall stall = new Stall(0);

    /**
     * Starts a stall. It ends after {@code bytesRead} bytes were received, counted from the time at which the output
     * buffer is full.
     */
    public static Stall until(int bytesRead) {
        Stall started = new Stall(bytesRead);
        stall = started;
        return started;
    }

    /** A period without writes. */
    public static final class Stall {

        private final CountDownLatch full = new CountDownLatch(1);
        private final AtomicInteger left;

        private Stall(int bytesRead) {
            left = new AtomicInteger(bytesRead);
        }

        /** Opens when the output buffer is full. */
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
        int bytes = super.doReadBytes(into);
        Stall now = stall;
        if (bytes > 0 && now.full.getCount() == 0) {
            eventLoop().execute(() -> now.left.addAndGet(-bytes)); // counted after the channel has handled the bytes
        }
        return bytes;
    }
}
