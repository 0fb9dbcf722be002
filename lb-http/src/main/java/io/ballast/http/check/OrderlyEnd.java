package io.ballast.http.check;

import io.ballast.net.tls.TlsEnd;
import io.ballast.net.transport.OutputShutdown;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Ends the connection of a check that has its result without a reset at the backend: what the backend still sends is read
 * and dropped until it closes, within bounds. A socket that is closed with unread data resets its connection. Event-loop
 * confined.
 */
final class OrderlyEnd {

    /** Backends that are asked to close do so as soon as their response is out. */
    private static final long MOST_MILLIS = 1_000;

    private static final int MOST_BYTES = 256 * 1024;

    private final Channel channel;
    private int left = MOST_BYTES;
    private boolean leaving;

    private OrderlyEnd(Channel channel) {
        this.channel = channel;
    }

    /** Waits for the backend to close, which it was asked to, then leaves; the channel must go on reading. */
    static OrderlyEnd begin(Channel channel) {
        OrderlyEnd end = new OrderlyEnd(channel);
        end.after(end::leave);
        return end;
    }

    /** Says that no more comes, by {@code close_notify} and FIN, and waits for the same from the backend. */
    static OrderlyEnd leave(Channel channel) {
        OrderlyEnd end = new OrderlyEnd(channel);
        end.leave();
        return end;
    }

    private void after(Runnable task) {
        Future<?> limit = channel.eventLoop().schedule(task, MOST_MILLIS, TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(closed -> limit.cancel(/* mayInterruptIfRunning= */ false));
    }

    private void leave() {
        if (leaving || !channel.isActive()) {
            return;
        }
        leaving = true;
        after(() -> TlsEnd.cut(channel));
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER) // done when all before it is written
                .addListener(written -> TlsEnd.sayGoodbye(channel).addListener(said -> endOutput()));
    }

    private void endOutput() {
        if (channel.isActive()) {
            OutputShutdown.tell(channel);
        }
    }

    /** So much more was received, and dropped. */
    void dropped(int bytes) {
        left -= bytes;
        if (left < 0) {
            TlsEnd.cut(channel);
        }
    }
}
