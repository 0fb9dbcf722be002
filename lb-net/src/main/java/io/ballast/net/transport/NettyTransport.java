package io.ballast.net.transport;

import io.ballast.net.config.TransportKind;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Socket;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import io.netty.channel.uring.ListeningSocketChannel;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * One of the system's interfaces to sockets, and Netty's classes for it. Their TCP connections send without delay ({@code
 * TCP_NODELAY}) as they come. Immutable.
 *
 * @param kind which one; never {@link TransportKind#AUTO}
 * @param why why it was chosen, for the log
 * @param sharesPort whether several sockets may be bound to one address, over which the system spreads clients
 * @param ioHandler makes what the event loops run on
 * @param serverChannel for sockets that accept connections
 * @param channel for connections
 * @param datagramChannel for datagrams
 */
public record NettyTransport(
        TransportKind kind,
        String why,
        boolean sharesPort,
        Supplier<IoHandlerFactory> ioHandler,
        Class<? extends ServerChannel> serverChannel,
        Class<? extends SocketChannel> channel,
        Class<? extends DatagramChannel> datagramChannel) {

    /** Completions that an io_uring holds; when there are more, Netty logs a line for each turn. 16 bytes each. */
    private static final int COMPLETIONS = 16 * 1024;

    /**
     * Chooses a transport for connections.
     *
     * @throws IllegalStateException if a transport was asked for by name and does not work here
     */
    public static NettyTransport choose(TransportKind wanted) {
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

    /**
     * Chooses a transport for connections and sessions of datagrams. io_uring is not taken for the latter unless it is asked for:
     * there each socket that waits for a datagram keeps a buffer for the longest one.
     *
     * @throws IllegalStateException if a transport was asked for by name and does not work here
     */
    public static NettyTransport choose(TransportKind wanted, boolean hasSessionsOfDatagrams) {
        boolean byEpoll = wanted == TransportKind.AUTO && hasSessionsOfDatagrams && Epoll.isAvailable();
        return byEpoll ? epoll("sessions of datagrams take least memory") : choose(wanted);
    }

    /**
     * Chooses a transport for connections of which some use Unix sockets: epoll, since Netty can end one direction of such a
     * connection nowhere else.
     *
     * @throws IllegalStateException if another one was asked for, or epoll does not work here
     */
    public static NettyTransport forUnixSockets(TransportKind wanted) {
        if (wanted == TransportKind.IO_URING || wanted == TransportKind.NIO) {
            throw new IllegalStateException(
                    "transport: " + label(wanted) + " (expected: auto or epoll, as Unix sockets are" + " configured)");
        }
        require(Epoll.isAvailable(), "auto, with Unix sockets", Epoll.unavailabilityCause());
        return epoll(wanted == TransportKind.EPOLL ? "as configured" : "Unix sockets are configured");
    }

    /**
     * Chooses a transport for datagrams: epoll where it works, unless NIO is wanted. io_uring has no system call for a batch
     * of datagrams.
     */
    public static NettyTransport forDatagrams(TransportKind wanted) {
        if (wanted == TransportKind.NIO) {
            return nio("as configured");
        }
        return Epoll.isAvailable() ? epoll("sends and receives batches of datagrams") : nio(noEpoll());
    }

    /** Whether Unix sockets can be used that Java has none of: for datagrams and descriptors. */
    public static boolean hasNativeUnixSockets() {
        return Epoll.isAvailable();
    }

    /** The name that logs and users see. */
    public String label() {
        return label(kind);
    }

    private static String label(TransportKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns a channel that accepts connections on a Unix socket that listens already, which it owns from then on.
     *
     * @throws IllegalStateException if this is not epoll
     */
    public ServerChannel acceptingChannel(Socket unixSocket) {
        requireEpoll();
        return new EpollServerDomainSocketChannel(unixSocket.intValue(), /* active= */ true);
    }

    /**
     * Prepares what connects to an address: its kind of channel, its options, and the address.
     *
     * @param target of a Unix socket, which takes epoll, or an address and port
     * @throws IllegalStateException for a Unix socket if this is not epoll
     */
    public Bootstrap connecting(Bootstrap bootstrap, SocketAddress target) {
        if (target instanceof UnixDomainSocketAddress unix) {
            requireEpoll();
            return bootstrap
                    .channel(EpollDomainSocketChannel.class)
                    .remoteAddress(new DomainSocketAddress(unix.getPath().toString()));
        }
        return bootstrap.channel(channel).remoteAddress(target);
    }

    /**
     * Has the system end connections whose peer does not acknowledge what was sent (RFC 5482). Does nothing on NIO, which has no such
     * option: callers need a deadline of their own.
     *
     * @param limit at least 1 ms; rounded down to milliseconds
     */
    public Bootstrap limitUnacknowledged(Bootstrap bootstrap, Duration limit) {
        int millis = Math.toIntExact(limit.toMillis());
        return switch (kind) {
            case IO_URING -> bootstrap.option(IoUringChannelOption.TCP_USER_TIMEOUT, millis);
            case EPOLL -> bootstrap.option(EpollChannelOption.TCP_USER_TIMEOUT, millis);
            case NIO, AUTO -> bootstrap;
        };
    }

    /** Whether sockets of another process can be gone on with, and handed on. */
    public boolean inheritsPorts() {
        return kind != TransportKind.NIO;
    }

    /**
     * Returns a channel that accepts connections on a TCP socket that listens already, which it owns from then on.
     *
     * @throws IllegalStateException if {@link #inheritsPorts} is false
     */
    public ServerChannel acceptingPort(int fd) {
        return switch (kind) {
            case IO_URING -> new ListeningSocketChannel(fd);
            case EPOLL -> new EpollServerSocketChannel(fd);
            case NIO, AUTO ->
                throw new IllegalStateException(
                        "transport: " + label() + " (expected: epoll or io_uring, for the socket of another process)");
        };
    }

    /** Whether the same is true of datagrams. On io_uring such a socket blocks, and another process's would not. */
    public boolean inheritsDatagrams() {
        return kind == TransportKind.EPOLL;
    }

    /**
     * Returns a channel that receives datagrams by a socket that is bound already, which it owns from then on.
     *
     * @throws IllegalStateException if {@link #inheritsDatagrams} is false
     */
    public DatagramChannel receivingPort(int fd) {
        requireEpoll();
        return new EpollDatagramChannel(fd);
    }

    private void requireEpoll() {
        if (kind != TransportKind.EPOLL) {
            throw new IllegalStateException("transport: " + label() + " (expected: epoll, for this kind of socket)");
        }
    }

    /** Adds what connections of this transport need in front of their own handlers, unless it is there already. */
    public void prepare(ChannelPipeline pipeline) {
        if (kind == TransportKind.IO_URING && pipeline.get(UnreportedReset.class) == null) {
            pipeline.addFirst(UnreportedReset.INSTANCE);
        }
    }

    private static NettyTransport auto() {
        if (IoUring.isAvailable()) {
            return ioUring("fastest available");
        }
        String noUring = "io_uring is not available: " + rootCause(IoUring.unavailabilityCause());
        return Epoll.isAvailable() ? epoll(noUring) : nio(noUring + "; " + noEpoll());
    }

    private static String noEpoll() {
        return "epoll is not available: " + rootCause(Epoll.unavailabilityCause());
    }

    private static NettyTransport ioUring(String why) {
        return new NettyTransport(
                TransportKind.IO_URING,
                why,
                /* sharesPort= */ true,
                () -> IoUringIoHandler.newFactory(new IoUringIoHandlerConfig().setCqSize(COMPLETIONS)),
                IoUringServerSocketChannel.class,
                IoUringSocketChannel.class,
                IoUringDatagramChannel.class);
    }

    private static NettyTransport epoll(String why) {
        return new NettyTransport(
                TransportKind.EPOLL,
                why,
                /* sharesPort= */ true,
                SteadyEpollHandler::newFactory,
                EpollServerSocketChannel.class,
                EpollSocketChannel.class,
                EpollDatagramChannel.class);
    }

    private static NettyTransport nio(String why) {
        return new NettyTransport(
                TransportKind.NIO,
                why,
                /* sharesPort= */ false,
                NioIoHandler::newFactory,
                NioServerSocketChannel.class,
                NioSocketChannel.class,
                NioDatagramChannel.class);
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
