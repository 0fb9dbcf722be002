package io.ballast.http.check;

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

    private OrderlyEnd(Channel channel) {
        this.channel = channel;
    }

    /** Begins to wait for the backend's end; the channel must go on reading. */
    static OrderlyEnd begin(Channel channel) {
        Future<?> limit = channel.eventLoop().schedule(() -> channel.close(), MOST_MILLIS, TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(closed -> limit.cancel(/* mayInterruptIfRunning= */ false));
        return new OrderlyEnd(channel);
    }

    /** So much more was received, and dropped. */
    void dropped(int bytes) {
        left -= bytes;
        if (left < 0) {
            channel.close();
        }
    }
}
