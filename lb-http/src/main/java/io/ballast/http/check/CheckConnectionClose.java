package io.ballast.http.check;

import io.ballast.net.tls.TlsCloseHandler;
import io.ballast.net.transport.OutputShutdown;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Closes the connection of a finished check without a reset: the backend's remaining data is read and dropped until it
 * closes, within bounds. Closing a socket with unread data would reset the connection. Event-loop confined.
 */
final class CheckConnectionClose {

    /** Longest wait for the backend; backends asked to close normally do so right after their response. */
    private static final long MAX_MILLIS = 1_000;

    private static final int MAX_BYTES = 256 * 1024;

    private final Channel channel;
    private int left = MAX_BYTES;
    private boolean leaving;

    private CheckConnectionClose(Channel channel) {
        this.channel = channel;
    }

    /**
     * Waits for the backend to close, as the request asked for, then half-closes. The channel must continue reading.
     */
    static CheckConnectionClose begin(Channel channel) {
        CheckConnectionClose end = new CheckConnectionClose(channel);
        end.after(end::leave);
        return end;
    }

    /** Half-closes with {@code close_notify} and FIN, and waits for the backend to do the same. */
    static CheckConnectionClose leave(Channel channel) {
        CheckConnectionClose end = new CheckConnectionClose(channel);
        end.leave();
        return end;
    }

    private void after(Runnable task) {
        Future<?> limit = channel.eventLoop().schedule(task, MAX_MILLIS, TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(closed -> limit.cancel(/* mayInterruptIfRunning= */ false));
    }

    private void leave() {
        if (leaving || !channel.isActive()) {
            return;
        }
        leaving = true;
        after(() -> TlsCloseHandler.cut(channel));
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER) // completes when all earlier writes are done
                .addListener(written -> TlsCloseHandler.sayGoodbye(channel).addListener(said -> endOutput()));
    }

    private void endOutput() {
        if (channel.isActive()) {
            OutputShutdown.tell(channel);
        }
    }

    /** Counts received bytes that were dropped. */
    void dropped(int bytes) {
        left -= bytes;
        if (left < 0) {
            TlsCloseHandler.cut(channel);
        }
    }
}
