package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringSocketChannel;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The native modules of Netty are older than the rest (see {@code netty.native.version} in the parent POM). A refused
 * connection is where a bad mix shows first: the error's name is looked up in native code.
 */
class NettyTransportsTest {

    private static final int TIMEOUT_SECONDS = 10;

    @Test
    void refusedConnectionIsReportedOnNio() throws Exception {
        assertRefusalIsReported(NioIoHandler.newFactory(), NioSocketChannel.class);
    }

    @Test
    void refusedConnectionIsReportedOnEpoll() throws Exception {
        assumeTrue(Epoll.isAvailable(), () -> "no epoll: " + Epoll.unavailabilityCause());

        assertRefusalIsReported(EpollIoHandler.newFactory(), EpollSocketChannel.class);
    }

    @Test
    void refusedConnectionIsReportedOnIoUring() throws Exception {
        assumeTrue(IoUring.isAvailable(), () -> "no io_uring: " + IoUring.unavailabilityCause());

        assertRefusalIsReported(IoUringIoHandler.newFactory(), IoUringSocketChannel.class);
    }

    private static void assertRefusalIsReported(IoHandlerFactory transport, Class<? extends Channel> channel)
            throws Exception {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, transport);
        try {
            ChannelFuture connect = new Bootstrap()
                    .group(group)
                    .channel(channel)
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(closedPort());

            assertThat(connect.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(connect.cause()).isInstanceOf(ConnectException.class).hasMessageContaining("refused");
        } finally {
            group.shutdownGracefully(0, TIMEOUT_SECONDS, TimeUnit.SECONDS).sync();
        }
    }

    /** Returns an address of this machine where nobody listens: a port that was free a moment ago. */
    private static InetSocketAddress closedPort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return (InetSocketAddress) socket.getLocalSocketAddress();
        }
    }
}
