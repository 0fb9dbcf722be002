package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.netty.buffer.ByteBuf;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests how much memory generated responses need while their client opens no window. */
class OwnResponsesTest {

    private static final int BODY = 100_000;
    /** The number of bytes allowed for buffers of the connection and the test itself. */
    private static final int SPARE = 64 * 1024;

    private static final HostPort NEVER_ASKED = new HostPort("127.0.0.1", 1);

    @Test
    void sharedBodiesAreNotCopied() throws Exception {
        try (TestBalancer balancer = balancer(/* transitBytes= */ 0);
                Http2Client client = withoutWindow(balancer)) {
            List<Integer> streams = request(client, "/fixed", Http2Connection.MAX_STREAMS);
            client.sync();

            assertThat(balancer.buffersInUse()).isLessThan(SPARE);

            int first = streams.get(0);
            client.send(FrameBytes.windowUpdate(0, BODY), FrameBytes.windowUpdate(first, BODY));
            assertThat(client.read(first).body()).isEqualTo("x".repeat(BODY));
        }
    }

    /** A client with the maximum number of streams may have a small response pending on each. */
    @Test
    void responsesAreQueuedForAllStreams() throws Exception {
        try (TestBalancer balancer = balancer(/* transitBytes= */ 0);
                Http2Client client = withoutWindow(balancer)) {
            List<Integer> streams = request(client, "/none", Http2Connection.MAX_STREAMS);
            client.sync();

            assertThat(balancer.buffersInUse()).isLessThan(128 * 1024 + SPARE);
            for (int stream : streams) {
                assertThat(client.response(stream).isEnded()).isFalse();
                client.send(FrameBytes.windowUpdate(stream, BODY));
                assertThat(client.read(stream).body()).startsWith("404 Not Found");
            }
        }
    }

    @Test
    void queuedResponsesAreLimitedUnderMemoryPressure() throws Exception {
        long budget = 1024 * 1024;
        try (TestBalancer balancer = balancer(budget);
                Http2Client client = withoutWindow(balancer)) {
            ByteBuf others = balancer.workers().allocator().directBuffer((int) budget * 15 / 16);
            try {
                balancer.await("memory is short", () -> maxBufferedBytes(balancer) == 1024);

                List<Integer> streams = request(client, "/none", Http2Connection.MAX_STREAMS);
                client.sync();

                long kept = streams.stream()
                        .filter(stream -> !client.response(stream).isEnded())
                        .count();
                assertThat(kept).isBetween(1L, 10L);
                int last = streams.get(streams.size() - 1);
                assertThat(client.response(last).status()).isEqualTo(404);
                assertThat(client.response(last).resetCode()).isEqualTo(ErrorCode.ENHANCE_YOUR_CALM.ordinal());
                assertThat(balancer.count(ListenerCounter.REQUESTS)).isEqualTo(streams.size());
            } finally {
                others.release();
            }
        }
    }

    private static int maxBufferedBytes(TestBalancer balancer) {
        return balancer.workers().all().get(0).transit().maxBufferedBytes();
    }

    private static List<Integer> request(Http2Client client, String path, int count) {
        List<Integer> streams = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            streams.add(client.get(path));
        }
        return streams;
    }

    private static Http2Client withoutWindow(TestBalancer balancer) {
        return Http2Client.connect(balancer.port(), Setting.INITIAL_WINDOW_SIZE, 0)
                .keepingWindows();
    }

    private static TestBalancer balancer(long transitBytes) throws BindException {
        return BalancerSetup.on(TransportKind.NIO)
                .backend(NEVER_ASKED)
                .respond("/fixed", 200, "x".repeat(BODY))
                .withoutDefaultRoute()
                .transitBytes(transitBytes)
                .loops(1)
                .start();
    }
}
