package io.ballast.net.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.nio.WriteInterest;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.channel.socket.ChannelOutputShutdownException;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.Errors;
import io.netty.channel.unix.Errors.NativeIoException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Keeps connections open after a failed write until the data from the peer has been read.
 *
 * <p>If a peer answers early and closes, its system resets the connection. The kernel still holds the data
 * that arrived before the reset. But a pending write fails, and by default Netty closes a connection whose
 * write fails. If this class is used for a connection, Netty only shuts down the output. It fails the pending
 * writes with a {@link ChannelOutputShutdownException}, drops later writes and fires a
 * {@link ChannelOutputShutdownEvent}. Reading continues until the end of the data or the reset. See
 * decision 82.
 *
 * <p>Stateless. Must be called on the event loop.
 */
public final class FailedWriteReader {

    private static final String BROKEN_PIPE = "broken pipe";

    private FailedWriteReader() {}

    /** Keeps {@code channel} open when a write fails. */
    public static void keepOpenAfterFailedWrite(Channel channel) {
        channel.config().setOption(ChannelOption.AUTO_CLOSE, false);
    }

    /** Whether {@code channel} stays open when a write fails. */
    static boolean staysOpenAfterFailedWrite(Channel channel) {
        return !channel.config().isAutoClose();
    }

    /**
     * Whether {@code cause}, as passed to a handler's {@code exceptionCaught}, only reports a failed write while
     * reading continues.
     */
    public static boolean isFailedWrite(Throwable cause) {
        return cause instanceof ChannelOutputShutdownException && cause.getCause() != null;
    }

    /**
     * Whether a write failed because the peer reset the connection before it closed its sending side. The kernel
     * reports a reset only once. If it reports the reset to a write, the next reads return the received data and then
     * an end of stream that the peer never sent. So the caller must treat that end as a reset. After the peer has
     * closed its sending side, the kernel reports a broken pipe instead, and the end is real.
     *
     * @param cause an exception for which {@link #isFailedWrite} is true
     */
    public static boolean isReset(Throwable cause) {
        @Nullable Throwable failure = cause.getCause();
        if (failure instanceof NativeIoException system) {
            return system.expectedErr() != Errors.ERRNO_EPIPE_NEGATIVE;
        }
        String message = failure == null ? null : failure.getMessage();
        return message == null || !message.toLowerCase(Locale.ROOT).contains(BROKEN_PIPE);
    }

    /**
     * Stops waiting for writability of {@code channel}. Must be called when its output is lost, because NIO would
     * otherwise keep its write interest, and the selector would never block.
     */
    public static void stopWriting(Channel channel) {
        if (channel instanceof NioSocketChannel nio) {
            WriteInterest.clear(nio);
        }
    }
}
