package io.ballast.net.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Checks that data can still be sent on a connection whose peer has half-closed it. */
class HalfClosureTest {

    private static final int TIMEOUT_SECONDS = 10;
    /** More than the send buffer holds, so that a write has to wait. */
    private static final int ANSWER = 16 * 1024 * 1024;

    @EachTransport
    void pendingResponseIsSentAfterPeerHalfClose(TransportKind kind) throws Exception {
        NettyTransport transport = NettyTransport.choose(kind);
        EventLoopGroup group =
                new MultiThreadIoEventLoopGroup(1, transport.ioHandler().get());
        CompletableFuture<Channel> ended = new CompletableFuture<>();
        try (Socket socket = new Socket()) {
            Channel server = new ServerBootstrap()
                    .group(group)
                    .channel(transport.serverChannel())
                    .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                    .childHandler(new Listening(ended))
                    .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .sync()
                    .channel();
            socket.setSoTimeout(TIMEOUT_SECONDS * 1000);
            socket.connect(server.localAddress());

            socket.shutdownOutput();
            Channel channel = ended.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            goRound(channel);
            channel.writeAndFlush(channel.alloc().buffer(ANSWER).writeZero(ANSWER))
                    .addListener(out -> channel.close());

            assertThat(socket.getInputStream().readAllBytes()).hasSize(ANSWER);
        } finally {
            group.shutdownGracefully(0, TIMEOUT_SECONDS, TimeUnit.SECONDS).sync();
        }
    }

    /** Lets the event loop process all events of the peer's half-closure. */
    private static void goRound(Channel channel) throws InterruptedException {
        for (int round = 0; round < 10; round++) {
            channel.eventLoop().schedule(() -> {}, 1, TimeUnit.MILLISECONDS).sync();
        }
    }

    private static final class Listening extends ChannelInboundHandlerAdapter {

        private final CompletableFuture<Channel> ended;

        Listening(CompletableFuture<Channel> ended) {
            this.ended = ended;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event == ChannelInputShutdownEvent.INSTANCE) {
                ended.complete(ctx.channel());
            }
        }
    }
}
