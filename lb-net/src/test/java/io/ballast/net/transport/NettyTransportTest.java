package io.ballast.net.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.util.CharsetUtil;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NettyTransportTest {

    private static final int TIMEOUT_SECONDS = 10;

    /**
     * The native modules of Netty are older than its other modules (see {@code netty.native.version} in the parent
     * POM). A refused connection is the first operation that fails if the versions are incompatible, because native
     * code looks up the name of its error.
     */
    @EachTransport
    void refusedConnectionIsReported(TransportKind kind) throws Exception {
        NettyTransport transport = NettyTransport.choose(kind);
        EventLoopGroup group = group(transport);
        try {
            ChannelFuture connect = new Bootstrap()
                    .group(group)
                    .channel(transport.channel())
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(closedPort());

            assertThat(connect.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(connect.cause()).isInstanceOf(ConnectException.class).hasMessageContaining("refused");
        } finally {
            end(group);
        }
    }

    /** Netty sets the option by default. Setting it again on each connection would cost a second system call. */
    @EachTransport
    void connectionsHaveTcpNoDelay(TransportKind kind) throws Exception {
        NettyTransport transport = NettyTransport.choose(kind);
        EventLoopGroup group = group(transport);
        CompletableFuture<Channel> accepted = new CompletableFuture<>();
        try {
            Channel server = new ServerBootstrap()
                    .group(group)
                    .channel(transport.serverChannel())
                    .childHandler(new Accepted(accepted))
                    .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .sync()
                    .channel();

            Channel connected = transport
                    .configureConnect(new Bootstrap(), server.localAddress())
                    .group(group)
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect()
                    .sync()
                    .channel();

            assertThat(connected.config().getOption(ChannelOption.TCP_NODELAY)).isTrue();
            assertThat(accepted.get(TIMEOUT_SECONDS, TimeUnit.SECONDS).config().getOption(ChannelOption.TCP_NODELAY))
                    .isTrue();
        } finally {
            end(group);
        }
    }

    @EachTransport
    void connectionsHaveTcpUserTimeout(TransportKind kind) throws Exception {
        assumeThat(kind).isNotEqualTo(TransportKind.NIO);
        NettyTransport transport = NettyTransport.choose(kind);
        ChannelOption<Integer> option = kind == TransportKind.IO_URING
                ? IoUringChannelOption.TCP_USER_TIMEOUT
                : EpollChannelOption.TCP_USER_TIMEOUT;
        EventLoopGroup group = group(transport);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Channel connected = transport
                    .limitUnacknowledged(
                            transport.configureConnect(new Bootstrap(), server.getLocalSocketAddress()),
                            Duration.ofSeconds(2))
                    .group(group)
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect()
                    .sync()
                    .channel();

            assertThat(connected.config().getOption(option)).isEqualTo(2_000);
        } finally {
            end(group);
        }
    }

    @EachTransport
    void datagramsAreReceived(TransportKind kind) throws Exception {
        NettyTransport transport = NettyTransport.choose(kind);
        EventLoopGroup group = group(transport);
        CompletableFuture<String> received = new CompletableFuture<>();
        try {
            Bootstrap bootstrap = new Bootstrap()
                    .group(group)
                    .channel(transport.datagramChannel())
                    .handler(new Receiver(received));
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            var receiver = bootstrap.bind(any).sync().channel();
            var sender = bootstrap
                    .clone()
                    .handler(new ChannelInboundHandlerAdapter())
                    .bind(any)
                    .sync()
                    .channel();

            sender.writeAndFlush(new DatagramPacket(
                    sender.alloc().buffer().writeBytes("hello".getBytes(CharsetUtil.US_ASCII)),
                    (InetSocketAddress) receiver.localAddress()));

            assertThat(received.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isEqualTo("hello");
        } finally {
            end(group);
        }
    }

    @EachTransport
    void configuredTransportIsChosen(TransportKind kind) {
        NettyTransport transport = NettyTransport.choose(kind);

        assertThat(transport.kind()).isEqualTo(kind);
        assertThat(transport.label()).isEqualToIgnoringCase(kind.name());
        assertThat(transport.why()).isEqualTo("as configured");
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NIO")
    void datagramsUseEpollIfAvailable(TransportKind wanted) {
        assertThat(NettyTransport.forDatagrams(wanted).kind())
                .isEqualTo(Epoll.isAvailable() ? TransportKind.EPOLL : TransportKind.NIO);
    }

    @Test
    void datagramsUseNioIfConfigured() {
        assertThat(NettyTransport.forDatagrams(TransportKind.NIO).kind()).isEqualTo(TransportKind.NIO);
    }

    @Test
    void udpSessionsUseEpollByDefault() {
        assumeThat(Epoll.isAvailable()).isTrue();

        assertThat(NettyTransport.choose(TransportKind.AUTO, /* hasSessionsOfDatagrams= */ true)
                        .kind())
                .isEqualTo(TransportKind.EPOLL);
        assertThat(NettyTransport.choose(TransportKind.NIO, /* hasSessionsOfDatagrams= */ true)
                        .kind())
                .isEqualTo(TransportKind.NIO);
        assertThat(NettyTransport.choose(TransportKind.AUTO, /* hasSessionsOfDatagrams= */ false)
                        .kind())
                .isEqualTo(NettyTransport.choose(TransportKind.AUTO).kind());
    }

    @Test
    void unixSocketsUseEpoll() {
        assumeThat(Epoll.isAvailable()).isTrue();

        assertThat(NettyTransport.forUnixSockets(TransportKind.AUTO).kind()).isEqualTo(TransportKind.EPOLL);
        assertThat(NettyTransport.forUnixSockets(TransportKind.EPOLL).kind()).isEqualTo(TransportKind.EPOLL);
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource(names = {"IO_URING", "NIO"})
    void unixSocketsRejectOtherTransports(TransportKind wanted) {
        assertThatThrownBy(() -> NettyTransport.forUnixSockets(wanted))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("transport: " + wanted.name().toLowerCase(Locale.ROOT)
                        + " (expected: auto or epoll, because Unix sockets are configured)");
    }

    private static EventLoopGroup group(NettyTransport transport) {
        return new MultiThreadIoEventLoopGroup(1, transport.ioHandler().get());
    }

    private static void end(EventLoopGroup group) throws InterruptedException {
        group.shutdownGracefully(0, TIMEOUT_SECONDS, TimeUnit.SECONDS).sync();
    }

    /** Returns an address of this machine without a listener: a port that was free a moment ago. */
    private static InetSocketAddress closedPort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return (InetSocketAddress) socket.getLocalSocketAddress();
        }
    }

    private static final class Accepted extends ChannelInboundHandlerAdapter {

        private final CompletableFuture<Channel> accepted;

        Accepted(CompletableFuture<Channel> accepted) {
            this.accepted = accepted;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            accepted.complete(ctx.channel());
        }
    }

    private static final class Receiver extends ChannelInboundHandlerAdapter {

        private final CompletableFuture<String> received;

        Receiver(CompletableFuture<String> received) {
            this.received = received;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            DatagramPacket packet = (DatagramPacket) message;
            received.complete(packet.content().toString(CharsetUtil.US_ASCII));
            packet.release();
        }
    }
}
