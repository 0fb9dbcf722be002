package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class FlowControlTest {

    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(3);
    private static final int MUCH = 4_000_000;

    @EachTransport
    void stalledStreamDoesNotBlockOthers(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(large(MUCH), Script.ok("ok"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).loops(1).start();
                Http2Client client = Http2Client.connect(balancer.port(), Setting.INITIAL_WINDOW_SIZE, 100)
                        .keepingWindows()) {
            int stalled = client.get("/");
            client.await("the first of it", () -> client.response(stalled).bytes().length == 100);
            for (int i = 0; i < 50; i++) {
                assertThat(client.read(client.get("/")).body()).isEqualTo("ok");
            }
            balancer.goRound();
            assertThat(balancer.buffersInUse()).isLessThan(1024 * 1024);
            assertThat(client.response(stalled).bytes()).hasSize(100);

            client.send(FrameBytes.windowUpdate(stalled, MUCH), FrameBytes.windowUpdate(0, MUCH));
            assertThat(client.read(stalled).bytes()).hasSize(MUCH);
        }
    }

    @Test
    void windowOfOneByteSendsOneByte() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("0123456789"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port(), Setting.INITIAL_WINDOW_SIZE, 1)
                        .keepingWindows()) {
            int stream = client.get("/");
            for (int i = 1; i <= 10; i++) {
                int length = i;
                client.await("byte " + i, () -> client.response(stream).bytes().length >= length);
                client.sync();
                assertThat(client.response(stream).bytes()).hasSize(length);
                client.send(FrameBytes.windowUpdate(stream, 1));
            }
            assertThat(client.read(stream).body()).isEqualTo("0123456789");
        }
    }

    @Test
    void connectionWindowIsShared() throws Exception {
        try (TestBackend backend = TestBackend.playing(large(50_000));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port()).keepingWindows()) {
            List<Integer> streams = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                streams.add(client.get("/"));
            }
            client.await(
                    "heads",
                    () -> streams.stream()
                            .allMatch(stream -> client.response(stream).status() == 200));
            client.await("a full window", () -> received(client, streams) == Setting.DEFAULT_WINDOW);
            client.sync();
            assertThat(received(client, streams)).isEqualTo(Setting.DEFAULT_WINDOW);

            client.send(FrameBytes.windowUpdate(0, 1));
            client.await("one more", () -> received(client, streams) == Setting.DEFAULT_WINDOW + 1);

            client.send(FrameBytes.windowUpdate(0, 1_000_000));
            for (int stream : streams) {
                assertThat(client.read(stream).bytes()).hasSize(50_000);
            }
        }
    }

    private static int received(Http2Client client, List<Integer> streams) {
        return streams.stream()
                .mapToInt(stream -> client.response(stream).bytes().length)
                .sum();
    }

    @Test
    void reducedWindowMayBecomeNegative() throws Exception {
        try (TestBackend backend = TestBackend.playing(large(10_000));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port(), Setting.INITIAL_WINDOW_SIZE, 1000)
                        .keepingWindows()) {
            int stream = client.get("/");
            client.await("a window", () -> client.response(stream).bytes().length == 1000);
            client.send(FrameBytes.settings(Setting.INITIAL_WINDOW_SIZE, 0)); // the stream window is -1000 now
            client.send(FrameBytes.windowUpdate(stream, 1000));
            client.sync();
            assertThat(client.response(stream).bytes()).hasSize(1000);
            client.send(FrameBytes.windowUpdate(stream, 1));
            client.await("one more", () -> client.response(stream).bytes().length == 1001);
            client.send(FrameBytes.settings(Setting.INITIAL_WINDOW_SIZE, 499));
            client.await("what the setting adds", () -> client.response(stream).bytes().length == 1500);
            client.sync();
            assertThat(client.response(stream).bytes()).hasSize(1500);
            client.send(FrameBytes.settings(Setting.INITIAL_WINDOW_SIZE, 100_000));
            assertThat(client.read(stream).bytes()).hasSize(10_000);
        }
    }

    @Test
    void streamWindowOverflowResetsStream() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.get("/");
            client.send(FrameBytes.windowUpdate(stream, Integer.MAX_VALUE));

            assertThat(client.read(stream).resetCode()).isEqualTo(ErrorCode.FLOW_CONTROL_ERROR.ordinal());
            assertThat(balancer.count(Failure.BAD_REQUEST)).isEqualTo(1);
        }
    }

    @Test
    void connectionWindowOverflowClosesConnection() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            client.send(FrameBytes.windowUpdate(0, Integer.MAX_VALUE));

            assertThat(client.readToEnd()).isEqualTo(ErrorCode.FLOW_CONTROL_ERROR);
        }
    }

    @Test
    void settingsWindowOverflowClosesConnection() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.get("/");
            client.send(
                    FrameBytes.windowUpdate(stream, Integer.MAX_VALUE - Setting.DEFAULT_WINDOW),
                    FrameBytes.settings(Setting.INITIAL_WINDOW_SIZE, Setting.DEFAULT_WINDOW + 1));

            assertThat(client.readToEnd()).isEqualTo(ErrorCode.FLOW_CONTROL_ERROR);
        }
    }

    @EachTransport
    void stalledBackendClosesUploadWindow(TransportKind transport) throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        Script slow = connection -> {
            String head = connection.readHead();
            connection.await(read);
            String body = connection.readBody(head);
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Length: " + body.length() + "\r\n\r\n");
        };
        byte[] rest = new byte[8 * 1024 * 1024];
        try (TestBackend backend = TestBackend.playing(slow);
                TestBackend other = TestBackend.playing(Bodies.back());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .pool("other", other)
                        .route(io.ballast.http.config.RouteConfig.of(
                                null, "/other", new io.ballast.http.config.RouteAction.ToPool("other")))
                        .loops(1)
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stalled = client.post("/", "content-length", String.valueOf(rest.length));
            int sent = sendAsMuchAsAllowed(client, balancer, stalled);
            assertThat(sent).as("beyond the socket buffers").isLessThan(rest.length);
            assertThat(balancer.buffersInUse()).isLessThan(1024 * 1024);
            for (int i = 0; i < 30; i++) {
                int stream = client.post("/other", "content-length", "60000");
                client.upload(stream, /* ends= */ true, new byte[60_000]);
                assertThat(client.read(stream).bytes()).hasSize(60_000);
            }

            read.countDown();
            client.upload(stalled, /* ends= */ true, new byte[rest.length - sent]);
            assertThat(client.read(stalled).header("x-length")).isEqualTo(String.valueOf(rest.length));
        }
    }

    /**
     * Sends as many bytes as the windows allow; returns their number. Checks that the balancer buffers at most two
     * windows.
     */
    private static int sendAsMuchAsAllowed(Http2Client client, TestBalancer balancer, int stream) {
        int sent = 0;
        for (int rounds = 0; rounds < 20; ) {
            int length = (int) Math.min(client.mayUpload(stream), Frame.MAX_PAYLOAD_BYTES);
            if (length > 0) {
                client.send(FrameBytes.data(stream, /* ends= */ false, new byte[length]));
                client.spend(stream, length);
                sent += length;
                rounds = 0;
            } else {
                balancer.goRound();
                rounds++;
            }
            client.sync();
        }
        long passed = balancer.count(BackendCounter.BYTES_TO);
        assertThat(sent - passed).isLessThanOrEqualTo(2 * Http2Connection.STREAM_WINDOW);
        return sent;
    }

    @Test
    void streamWindowViolationIsError() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .maxInFlight(1)
                        .queue(10, LONG)
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            client.get("/");
            backend.nextRequest(); // this request uses the only slot, so the next request waits
            int stream = client.post("/");
            for (int i = 0; i < 4; i++) {
                client.send(FrameBytes.data(stream, /* ends= */ false, new byte[Frame.MAX_PAYLOAD_BYTES]));
            }
            client.sync();
            assertThat(client.response(stream).isEnded()).isFalse();
            client.send(FrameBytes.data(stream, /* ends= */ false, (byte) 1));

            assertThat(client.read(stream).resetCode()).isEqualTo(ErrorCode.FLOW_CONTROL_ERROR.ordinal());
        }
    }

    @Test
    void closedStreamWindowIsSlowReader() throws Exception {
        try (TestBackend backend = TestBackend.playing(large(100_000));
                TestBalancer balancer = slowReaders(backend);
                Http2Client client = Http2Client.connect(balancer.port(), Setting.INITIAL_WINDOW_SIZE, 10)
                        .keepingWindows()) {
            Http2Response response = client.read(client.get("/"));

            assertThat(response.bytes()).hasSize(10);
            assertThat(response.resetCode()).isEqualTo(ErrorCode.CANCEL.ordinal());
            backend.awaitConnectionEnd();
            assertThat(balancer.count(Failure.SLOW_READER)).isEqualTo(1);
            assertThat(balancer.count(Failure.BAD_REQUEST)).isZero();
        }
    }

    @Test
    void closedConnectionWindowIsSlowReader() throws Exception {
        try (TestBackend backend = TestBackend.playing(large(200_000));
                TestBalancer balancer = slowReaders(backend);
                Http2Client client = Http2Client.connect(balancer.port(), Setting.INITIAL_WINDOW_SIZE, 1_000_000)
                        .keepingWindows()) {
            Http2Response response = client.read(client.get("/"));

            assertThat(response.bytes()).hasSize(Setting.DEFAULT_WINDOW);
            assertThat(response.resetCode()).isEqualTo(ErrorCode.CANCEL.ordinal());
            backend.awaitConnectionEnd();
            assertThat(balancer.count(Failure.SLOW_READER)).isEqualTo(1);
        }
    }

    @Test
    void ownResponseIsDroppedForSlowReader() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .respond("/fixed", 200, "x".repeat(1000))
                        .deadlines(new ClientDeadlines(LONG, LONG, SHORT, LONG))
                        .start();
                Http2Client client = Http2Client.connect(balancer.port(), Setting.INITIAL_WINDOW_SIZE, 10)
                        .keepingWindows()) {
            Http2Response response = client.read(client.get("/fixed"));

            assertThat(response.bytes()).hasSize(10);
            assertThat(response.resetCode()).isEqualTo(ErrorCode.CANCEL.ordinal());
        }
    }

    private static TestBalancer slowReaders(TestBackend backend) throws Exception {
        return BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .deadlines(new ClientDeadlines(LONG, LONG, SHORT, LONG))
                .start();
    }

    /** Returns a response whose body has this length. */
    private static Script large(int length) {
        return Script.ok("x".repeat(length));
    }

    private static TestBalancer balancer(TestBackend backend) throws Exception {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).loops(1).start();
    }
}
