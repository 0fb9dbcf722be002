package io.ballast.http.h1.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.exchange.Listener;
import io.ballast.http.net.Worker;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class Http1SessionTest {

    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);

    @Test
    void exceptionDoesNotBlockLaterRequests() throws Exception {
        try (TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                .loops(1)
                .respond("/", 200, "ok")
                .start()) {
            Worker worker = balancer.workers().all().get(0);
            String answers =
                    worker.eventLoop().submit(() -> exchange(balancer, worker)).get();

            assertThat(answers).containsOnlyOnce("HTTP/1.1 200 OK\r\n").endsWith("ok");
        }
    }

    /**
     * Runs an exchange in which the first writability check of the client fails; returns the data sent to the client.
     */
    private static String exchange(TestBalancer balancer, Worker worker) {
        FailingChannel channel = new FailingChannel();
        Listener listener = balancer.listener();
        assertThat(listener.admit(listener.settings().connections(), ADDRESS)).isNull();
        channel.pipeline()
                .addLast(new ClientConnection(
                        new ClientLoop(worker),
                        (backend, settings, fresh, exchange) -> {
                            throw new AssertionError("no backend is asked");
                        },
                        listener,
                        listener.settings().connections(),
                        channel,
                        ADDRESS,
                        ADDRESS));
        channel.fails = true;
        channel.writeOneInbound(bytes("GET / HTTP/1.1\r\n"));
        channel.fails = false;
        channel.writeInbound(bytes("Host: a\r\n\r\n"));

        StringBuilder answers = new StringBuilder();
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            answers.append(next.toString(US_ASCII));
            next.release();
        }
        channel.finishAndReleaseAll();
        channel.pipeline().removeLast();
        return answers.toString();
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, US_ASCII);
    }

    /** A channel that ignores close, so that the data after an exception is still read. */
    private static final class FailingChannel extends EmbeddedChannel {

        private boolean fails;

        FailingChannel() {
            super(new ChannelOutboundHandlerAdapter() {
                @Override
                public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
                    promise.setSuccess();
                }
            });
        }

        @Override
        public boolean isWritable() {
            if (fails) {
                throw new IllegalStateException("expected by the test");
            }
            return super.isWritable();
        }
    }
}
