package io.ballast.http.net;

import io.ballast.core.config.TransportKind;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import java.util.function.Supplier;

/**
 * One of the system's interfaces for TCP.
 *
 * @param kind which one; never {@link TransportKind#AUTO}
 * @param why why it was chosen, for the log
 * @param reusePort whether several sockets may listen on one port and the system spreads connections over them
 */
public record Transport(
        TransportKind kind,
        String why,
        boolean reusePort,
        Supplier<IoHandlerFactory> ioHandler,
        Class<? extends ServerChannel> serverChannel,
        Class<? extends SocketChannel> channel) {

    /**
     * Chooses a transport.
     *
     * @throws IllegalStateException if a transport was asked for by name and does not work here
     */
    public static Transport choose(TransportKind wanted) {
        return switch (wanted) {
            case AUTO -> auto();
            case IO_URING -> {
                require(IoUring.isAvailable(), "io_uring", IoUring.unavailabilityCause());
                yield ioUring("as configured");
            }
            case EPOLL -> {
                require(Epoll.isAvailable(), "epoll", Epoll.unavailabilityCause());
                yield epoll("as configured");
            }
            case NIO -> nio("as configured");
        };
    }

    /** Adds what connections of this transport need in front of their own handlers. */
    public void prepare(ChannelPipeline pipeline) {
        if (kind == TransportKind.IO_URING) {
            pipeline.addFirst(UnreportedReset.INSTANCE);
        }
    }

    private static Transport auto() {
        if (IoUring.isAvailable()) {
            return ioUring("fastest available");
        }
        String noUring = "io_uring is not available: " + rootCause(IoUring.unavailabilityCause());
        return Epoll.isAvailable()
                ? epoll(noUring)
                : nio(noUring + "; epoll is not available: " + rootCause(Epoll.unavailabilityCause()));
    }

    private static Transport ioUring(String why) {
        return new Transport(
                TransportKind.IO_URING,
                why,
                /* reusePort= */ true,
                IoUringIoHandler::newFactory,
                IoUringServerSocketChannel.class,
                IoUringSocketChannel.class);
    }

    private static Transport epoll(String why) {
        return new Transport(
                TransportKind.EPOLL,
                why,
                /* reusePort= */ true,
                EpollIoHandler::newFactory,
                EpollServerSocketChannel.class,
                EpollSocketChannel.class);
    }

    private static Transport nio(String why) {
        return new Transport(
                TransportKind.NIO,
                why,
                /* reusePort= */ false,
                NioIoHandler::newFactory,
                NioServerSocketChannel.class,
                NioSocketChannel.class);
    }

    private static void require(boolean available, String name, Throwable cause) {
        if (!available) {
            throw new IllegalStateException(
                    "transport: " + name + " (expected: one that works here; " + rootCause(cause) + ")", cause);
        }
    }

    private static String rootCause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
