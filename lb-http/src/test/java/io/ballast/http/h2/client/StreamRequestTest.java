package io.ballast.http.h2.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.exchange.AttemptTicket;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.exchange.Listener;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.net.Worker;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamRequestTest {

    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);

    private final List<AttemptTicket> tickets = new ArrayList<>();
    private final List<String> sent = new ArrayList<>();

    /** When the first request gets its connection, the scanner of the event loop already holds another request. */
    @Test
    void exceptionDoesNotMixRequestHeads() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .loops(1)
                        .backend(backend)
                        .start()) {
            Worker worker = balancer.workers().all().get(0);
            worker.eventLoop().submit(() -> exchange(balancer, worker)).get();

            assertThat(sent).singleElement().asString().startsWith("GET /first HTTP/1.1\r\n");
        }
    }

    private void exchange(TestBalancer balancer, Worker worker) {
        ConnectionSource failing = (backend, settings, fresh, exchange) -> {
            tickets.add(exchange.ticket());
            if (tickets.size() == 1) {
                throw new IllegalStateException("expected by the test");
            }
            return null;
        };
        EmbeddedChannel channel = new EmbeddedChannel(new ChannelOutboundHandlerAdapter() {
            @Override
            public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
                promise.setSuccess(); // keeps the channel open, so that the request after the exception is read
            }
        });
        Listener listener = balancer.listener();
        assertThat(listener.admit(listener.settings().connections(), ADDRESS)).isNull();
        channel.pipeline()
                .addLast(new Http2Connection(
                        new Http2Loop(worker, failing),
                        listener,
                        listener.settings().connections(),
                        channel,
                        ADDRESS,
                        ADDRESS));
        channel.writeOneInbound(Unpooled.wrappedBuffer(
                FrameBytes.join(FrameBytes.PREFACE.getBytes(US_ASCII), FrameBytes.settings(), get(1, "/first"))));
        channel.writeOneInbound(Unpooled.wrappedBuffer(get(3, "/second")));

        tickets.get(0).connect(exchange -> new RecordingSide());

        channel.finishAndReleaseAll();
        channel.pipeline().removeLast();
    }

    private static byte[] get(int stream, String path) {
        return FrameBytes.headers(
                stream,
                /* ends= */ true,
                FrameBytes.block(":method", "GET", ":scheme", "http", ":path", path, ":authority", "a"));
    }

    /** Records the heads sent to it. */
    private final class RecordingSide implements BackendSide {

        @Override
        public boolean isReused() {
            return false;
        }

        @Override
        public void sendHead(ByteBuf head, int headBytes, boolean inChunks) {
            send(head);
        }

        @Override
        public void send(ByteBuf data) {
            sent.add(data.toString(US_ASCII));
            data.release();
        }

        @Override
        public void endRequest() {}

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public long pendingBytes() {
            return 0;
        }

        @Override
        public void setReading(boolean on) {}

        @Override
        public void abort() {}
    }
}
