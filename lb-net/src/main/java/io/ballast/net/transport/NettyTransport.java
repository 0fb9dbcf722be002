package io.ballast.net.transport;

import io.ballast.core.ErrorText;
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
 * A socket interface of the operating system, and Netty's classes for it. Its TCP connections have {@code TCP_NODELAY}
 * on by default. Immutable.
 *
 * @param kind the interface; never {@link TransportKind#AUTO}
 * @param why the reason for the choice, for the log
 * @param sharesPort whether several sockets may be bound to one address, with clients distributed by the system
 * @param ioHandler creates the I/O handlers of the event loops
 * @param serverChannel the class of listening sockets
 * @param channel the class of connections
 * @param datagramChannel the class of datagram sockets
 */
public record NettyTransport(
        TransportKind kind,
        String why,
        boolean sharesPort,
        Supplier<IoHandlerFactory> ioHandler,
        Class<? extends ServerChannel> serverChannel,
        Class<? extends SocketChannel> channel,
        Class<? extends DatagramChannel> datagramChannel) {

    /**
     * Number of entries in the completion queue of an io_uring, 16 bytes each. If the queue overflows, Netty
     * logs a line in each turn of the event loop.
     */
    private static final int COMPLETIONS = 16 * 1024;

    /**
     * Chooses a transport for connections.
     *
     * @throws IllegalStateException if a specific transport is wanted and is not available
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
     * Chooses a transport for connections and datagram sessions. With datagram sessions, io_uring is only used if
     * configured, because each socket that waits for a datagram holds a buffer for the longest possible datagram.
     *
     * @throws IllegalStateException if a specific transport is wanted and is not available
     */
    public static NettyTransport choose(TransportKind wanted, boolean hasSessionsOfDatagrams) {
        boolean byEpoll = wanted == TransportKind.AUTO && hasSessionsOfDatagrams && Epoll.isAvailable();
        return byEpoll ? epoll("datagram sessions use the least memory with epoll") : choose(wanted);
    }

    /**
     * Returns the transport for connections in a configuration with Unix sockets. This is always epoll, because
     * Netty can half-close Unix sockets only with epoll.
     *
     * @throws IllegalStateException if another transport is wanted, or epoll is not available
     */
    public static NettyTransport forUnixSockets(TransportKind wanted) {
        if (wanted == TransportKind.IO_URING || wanted == TransportKind.NIO) {
            throw new IllegalStateException(
                    "transport: " + label(wanted) + " (expected: auto or epoll, because Unix sockets are configured)");
        }
        require(Epoll.isAvailable(), "epoll, which Unix sockets require,", Epoll.unavailabilityCause());
        return epoll(wanted == TransportKind.EPOLL ? "as configured" : "Unix sockets are configured");
    }

    /**
     * Chooses a transport for datagrams: epoll if it is available, unless NIO is wanted. io_uring has no system call
     * for a batch of datagrams.
     */
    public static NettyTransport forDatagrams(TransportKind wanted) {
        if (wanted == TransportKind.NIO) {
            return nio("as configured");
        }
        return Epoll.isAvailable() ? epoll("sends and receives batches of datagrams") : nio(epollUnavailableReason());
    }

    /**
     * Whether Netty's native Unix sockets are available. Java's Unix sockets support neither datagrams nor the
     * passing of file descriptors.
     */
    public static boolean hasNativeUnixSockets() {
        return Epoll.isAvailable();
    }

    /** The name of the transport in logs. */
    public String label() {
        return label(kind);
    }

    private static String label(TransportKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns a channel for a listening Unix socket; the channel then owns the socket.
     *
     * @throws IllegalStateException if this is not epoll
     */
    public ServerChannel newUnixServerChannel(Socket unixSocket) {
        requireEpoll();
        return new EpollServerDomainSocketChannel(unixSocket.intValue(), /* active= */ true);
    }

    /**
     * Sets channel class, options and address for connecting.
     *
     * @param target the address of a Unix socket, which requires epoll, or an address and port
     * @throws IllegalStateException for a Unix socket if this is not epoll
     */
    public Bootstrap configureConnect(Bootstrap bootstrap, SocketAddress target) {
        if (target instanceof UnixDomainSocketAddress unix) {
            requireEpoll();
            return bootstrap
                    .channel(EpollDomainSocketChannel.class)
                    .remoteAddress(new DomainSocketAddress(unix.getPath().toString()));
        }
        return bootstrap.channel(channel).remoteAddress(target);
    }

    /**
     * Makes the system close connections whose peer does not acknowledge sent data (RFC 5482). Does nothing on NIO,
     * which has no such option: callers need their own deadline.
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

    /** Whether listening TCP sockets can be inherited from another process, and handed over. */
    public boolean inheritsPorts() {
        return kind != TransportKind.NIO;
    }

    /**
     * Returns a channel for a listening TCP socket; the channel then owns the socket.
     *
     * @throws IllegalStateException if {@link #inheritsPorts} is false
     */
    public ServerChannel newServerChannel(int fd) {
        return switch (kind) {
            case IO_URING -> new ListeningSocketChannel(fd);
            case EPOLL -> new EpollServerSocketChannel(fd);
            case NIO, AUTO ->
                throw new IllegalStateException("transport: " + label()
                        + " (expected: epoll or io_uring, which can inherit a socket from another process)");
        };
    }

    /**
     * Whether datagram sockets can be inherited from another process. Returns false on io_uring, which needs a
     * blocking socket for this, because the sockets of other processes are not blocking.
     */
    public boolean inheritsDatagrams() {
        return kind == TransportKind.EPOLL;
    }

    /**
     * Returns a channel for a bound datagram socket; the channel then owns the socket.
     *
     * @throws IllegalStateException if {@link #inheritsDatagrams} is false
     */
    public DatagramChannel newDatagramChannel(int fd) {
        requireEpoll();
        return new EpollDatagramChannel(fd);
    }

    private void requireEpoll() {
        if (kind != TransportKind.EPOLL) {
            throw new IllegalStateException(
                    "transport: " + label() + " (expected: epoll, which this kind of socket requires)");
        }
    }

    /** Adds the transport's own handlers at the front of a connection's pipeline, unless already present. */
    public void prepare(ChannelPipeline pipeline) {
        if (kind == TransportKind.IO_URING && pipeline.get(MissedResetHandler.class) == null) {
            pipeline.addFirst(MissedResetHandler.INSTANCE);
        }
    }

    private static NettyTransport auto() {
        if (IoUring.isAvailable()) {
            return ioUring("fastest available");
        }
        String noUring = "io_uring is not available: " + rootCause(IoUring.unavailabilityCause());
        return Epoll.isAvailable() ? epoll(noUring) : nio(noUring + "; " + epollUnavailableReason());
    }

    private static String epollUnavailableReason() {
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
                PersistentEpollIoHandler::newFactory,
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
                    "transport: " + name + " is not available on this system (" + rootCause(cause) + ")", cause);
        }
    }

    private static String rootCause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return ErrorText.of(cause);
    }
}
