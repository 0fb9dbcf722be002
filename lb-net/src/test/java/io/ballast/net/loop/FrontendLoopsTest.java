package io.ballast.net.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.net.config.TransportKind;
import io.ballast.net.transport.NettyTransport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.uring.IoUring;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FrontendLoopsTest {

    private static final int SOCKETS = 100;

    @Test
    void connectingSocketsCloseBeforeEventLoopsEnd() throws IOException {
        assumeTrue(IoUring.isAvailable(), "only there a socket is closed later than asked");
        try (ServerSocket backend = new ServerSocket(0, SOCKETS, InetAddress.getLoopbackAddress())) {
            FrontendLoops<FrontendLoop> loops = start();
            Leaving leaving = new Leaving();
            List<Channel> sockets = new ArrayList<>();
            for (int i = 0; i < SOCKETS; i++) {
                sockets.add(register(loops, leaving));
            }

            sockets.forEach(
                    socket -> socket.connect(backend.getLocalSocketAddress()).addListener(ChannelFutureListener.CLOSE));
            loops.close();

            assertThat(leaving.count).hasValue(SOCKETS);
        }
    }

    private static FrontendLoops<FrontendLoop> start() {
        return FrontendLoops.start(
                NettyTransport.choose(TransportKind.IO_URING),
                2,
                "tested",
                (index, loop, heartbeat) -> new FrontendLoop(loop, heartbeat, System::nanoTime) {});
    }

    private static Channel register(FrontendLoops<FrontendLoop> loops, Leaving leaving) {
        return new Bootstrap()
                .group(loops.group())
                .channel(loops.transport().channel())
                .handler(leaving)
                .register()
                .syncUninterruptibly()
                .channel();
    }

    @Sharable
    private static final class Leaving extends ChannelInboundHandlerAdapter {

        private final AtomicInteger count = new AtomicInteger();

        @Override
        public void channelUnregistered(ChannelHandlerContext ctx) {
            count.incrementAndGet();
        }
    }
}
