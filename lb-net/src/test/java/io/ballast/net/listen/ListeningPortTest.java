package io.ballast.net.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.net.config.TransportKind;
import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.loop.FrontendLoops;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.SocketHandover;
import io.ballast.net.transport.NettyTransport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

class ListeningPortTest {

    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final ServerBootstrap greeting = new ServerBootstrap().childHandler(new Greeting());

    /** Opens more connections than loops, so that every loop gets some. */
    @EachTransport
    void allSocketsServe(TransportKind kind) throws IOException {
        try (FrontendLoops<Loop> loops = loops(kind);
                ListeningPort port = ListeningPort.bind(ANY, loops, greeting, loop -> {})) {
            for (int i = 0; i < 20; i++) {
                try (Socket client =
                        new Socket(port.address().getAddress(), port.address().getPort())) {
                    assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                            .isEqualTo("hello");
                }
            }
        }
    }

    @EachTransport
    void closeReleasesPort(TransportKind kind) throws IOException {
        try (FrontendLoops<Loop> loops = loops(kind)) {
            ListeningPort port = ListeningPort.bind(ANY, loops, greeting, loop -> {});
            assertThatThrownBy(() -> PortCheck.awaitFree(port.address(), Duration.ZERO))
                    .isInstanceOf(BindException.class)
                    .hasMessageEndingWith("the port is already in use");

            port.close();

            PortCheck.awaitFree(port.address(), Duration.ofSeconds(10));
        }
    }

    @EachTransport
    void errorNamesAddress(TransportKind kind) throws IOException {
        try (FrontendLoops<Loop> loops = loops(kind);
                ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress taken = (InetSocketAddress) other.getLocalSocketAddress();

            assertThatThrownBy(() -> ListeningPort.bind(taken, loops, greeting, loop -> {}))
                    .isInstanceOf(BindException.class)
                    .hasMessage("cannot listen on TCP 127.0.0.1:" + taken.getPort() + ": the port is already in use");
        }
    }

    /**
     * Tests that a client behind many others in the accept queue waits for few turns of the loop. Existing connections
     * must wait for few new clients in each turn.
     */
    @EachTransport
    void acceptsManyConnectionsInOneTurn(TransportKind kind) throws Exception {
        Assumptions.assumeTrue(kind != TransportKind.IO_URING); // with io_uring the kernel accepts connections
        AtomicInteger accepted = new AtomicInteger();
        CompletableFuture<Integer> afterFirstTurn = new CompletableFuture<>();
        ServerBootstrap counting = new ServerBootstrap()
                .option(ChannelOption.SO_BACKLOG, 2 * AcceptBatch.MAX)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (accepted.getAndIncrement() == 0) {
                            channel.eventLoop().execute(() -> afterFirstTurn.complete(accepted.get()));
                        }
                    }
                });
        List<Socket> clients = new ArrayList<>();
        try (FrontendLoops<Loop> loops = loops(kind, 1);
                ListeningPort port = ListeningPort.bind(ANY, loops, counting, loop -> {})) {
            CountDownLatch allConnected = new CountDownLatch(1);
            CountDownLatch blocked = new CountDownLatch(1);
            loops.all().get(0).eventLoop().execute(() -> {
                blocked.countDown();
                await(allConnected);
            });
            blocked.await(); // an earlier connection would be accepted in a turn of its own
            for (int i = 0; i < AcceptBatch.MAX + 10; i++) {
                clients.add(
                        new Socket(port.address().getAddress(), port.address().getPort()));
            }
            allConnected.countDown();

            assertThat(afterFirstTurn.get(10, TimeUnit.SECONDS)).isEqualTo(AcceptBatch.MAX);
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Tests that the new process keeps the sockets open even before it accepts. So no client finds the port closed, and
     * no client in the accept queue is disconnected.
     */
    @EachTransport
    void otherProcessTakesOverSockets(TransportKind kind) throws IOException {
        Assumptions.assumeTrue(NettyTransport.choose(kind).inheritsPorts());
        try (FrontendLoops<Loop> loops = loops(kind);
                FrontendLoops<Loop> nextLoops = loops(kind)) {
            ListeningPort port = ListeningPort.bind(ANY, loops, greeting, loop -> {});
            nextLoops.inherit(SocketHandover.on(port.sharedSockets()));

            try (ListeningPort next = ListeningPort.bind(port.address(), nextLoops, greeting, loop -> {})) {
                port.close();
                List<Socket> waiting = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    waiting.add(new Socket(
                            port.address().getAddress(), port.address().getPort()));
                }
                next.accept();
                next.activate();

                assertThat(next.sharedSockets()).hasSize(2);
                assertThat(nextLoops.inherited().size()).isZero();
                for (Socket client : waiting) {
                    try (client) {
                        assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                                .isEqualTo("hello");
                    }
                }
            }
        }
    }

    /** Tests a takeover with a different number of loops: every loop must serve some of the connections. */
    @EachTransport
    void additionalLoopsShareSockets(TransportKind kind) throws IOException {
        Assumptions.assumeTrue(NettyTransport.choose(kind).inheritsPorts());
        Set<EventLoop> used = ConcurrentHashMap.newKeySet();
        ServerBootstrap noting = new ServerBootstrap().childHandler(new Greeting() {
            @Override
            public void channelActive(ChannelHandlerContext ctx) {
                used.add(ctx.channel().eventLoop());
                super.channelActive(ctx);
            }
        });
        try (FrontendLoops<Loop> loops = loops(kind);
                FrontendLoops<Loop> nextLoops = loops(kind, 3)) {
            ListeningPort port = ListeningPort.bind(ANY, loops, greeting, loop -> {});
            nextLoops.inherit(SocketHandover.on(port.sharedSockets()));
            try (ListeningPort next = ListeningPort.bind(port.address(), nextLoops, noting, loop -> {})) {
                port.close();
                next.accept();
                for (int i = 0; i < 20; i++) {
                    try (Socket client = new Socket(
                            port.address().getAddress(), port.address().getPort())) {
                        assertThat(client.getInputStream().readAllBytes()).isNotEmpty();
                    }
                }

                assertThat(used).hasSize(3);
            }
        }
    }

    private static FrontendLoops<Loop> loops(TransportKind kind) {
        return loops(kind, 2);
    }

    private static FrontendLoops<Loop> loops(TransportKind kind, int count) {
        return FrontendLoops.start(
                NettyTransport.choose(kind),
                count,
                "test",
                (index, eventLoop, heartbeat) -> new Loop(eventLoop, heartbeat));
    }

    private static final class Loop extends FrontendLoop {

        Loop(EventLoop eventLoop, Heartbeat heartbeat) {
            super(eventLoop, heartbeat);
        }
    }

    @Sharable
    private static class Greeting extends ChannelInboundHandlerAdapter {

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            ctx.writeAndFlush(Unpooled.copiedBuffer("hello", StandardCharsets.US_ASCII))
                    .addListener(ChannelFutureListener.CLOSE);
        }
    }
}
