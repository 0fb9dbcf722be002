package io.ballast.http.check;

import io.ballast.net.tls.TlsCloseHandler;
import io.ballast.net.transport.OutputShutdown;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Closes the connection of a finished check without a reset. Data that the backend still sends is read and
 * dropped until the backend closes, within limits, because closing a socket with unread data would reset the
 * connection. Event-loop confined.
 */
final class CheckConnectionClose {

    /**
     * Maximum time to wait for the backend to close the connection. A backend normally closes the connection right
     * after its response if the request asked it to.
     */
    private static final long MAX_MILLIS = 1_000;

    private static final int MAX_BYTES = 256 * 1024;

    private final Channel channel;
    private int remainingBytes = MAX_BYTES;
    private boolean leaving;

    private CheckConnectionClose(Channel channel) {
        this.channel = channel;
    }

    /**
     * Waits until the backend closes the connection, as the request asked, and then half-closes it. The channel must
     * continue reading.
     */
    static CheckConnectionClose awaitClose(Channel channel) {
        CheckConnectionClose end = new CheckConnectionClose(channel);
        end.after(end::halfClose);
        return end;
    }

    /** Half-closes with {@code close_notify} and FIN, and waits for the backend to do the same. */
    static CheckConnectionClose halfClose(Channel channel) {
        CheckConnectionClose end = new CheckConnectionClose(channel);
        end.halfClose();
        return end;
    }

    private void after(Runnable task) {
        Future<?> limit = channel.eventLoop().schedule(task, MAX_MILLIS, TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(closed -> limit.cancel(/* mayInterruptIfRunning= */ false));
    }

    private void halfClose() {
        if (leaving || !channel.isActive()) {
            return;
        }
        leaving = true;
        after(() -> TlsCloseHandler.closeWithoutNotify(channel));
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER) // completes when all earlier writes are done
                .addListener(written -> TlsCloseHandler.sendCloseNotify(channel).addListener(sent -> endOutput()));
    }

    private void endOutput() {
        if (channel.isActive()) {
            OutputShutdown.shutDownOutput(channel);
        }
    }

    /** Counts received bytes that the caller dropped. */
    void dropped(int bytes) {
        remainingBytes -= bytes;
        if (remainingBytes < 0) {
            TlsCloseHandler.closeWithoutNotify(channel);
        }
    }
}
