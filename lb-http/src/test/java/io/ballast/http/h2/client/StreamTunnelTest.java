package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.MinimumRate;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.WebSockets;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.ScriptedConnection;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Tests tunnels over an HTTP/2 client stream. */
class StreamTunnelTest {

    private static final int MUCH = 5 * 1024 * 1024;
    private static final long MAX_MEMORY = 2 * 1024 * 1024;
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(3);

    @EachTransport
    void relaysLargeStreamsInBothDirections(TransportKind transport) throws Exception {
        byte[] sent = bytes(MUCH);
        try (TestBackend backend = TestBackend.playing(WebSockets.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port(), Setting.INITIAL_WINDOW_SIZE, MUCH)
                        .keepingWindows()) {
            int stream = WebSockets.open(client);
            long before = balancer.count(BackendCounter.BYTES_TO);

            client.send(FrameBytes.windowUpdate(0, MUCH));
            client.upload(stream, /* ends= */ true, sent);

            assertThat(checksum(client.read(stream).bytes())).isEqualTo(checksum(sent));
            assertThat(client.response(stream).isComplete()).isTrue();
            assertOver(balancer);
            assertThat(balancer.count(BackendCounter.BYTES_TO) - before).isEqualTo(MUCH);
        }
    }

    @Test
    void tunnelsOfOneConnectionAreNotMixed() throws Exception {
        try (TestBackend backend = TestBackend.playing(WebSockets.echo(), WebSockets.echo(), Script.ok("plain"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .loops(1)
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int first = WebSockets.open(client);
            int second = WebSockets.open(client);
            client.send(FrameBytes.data(first, false, text("one")), FrameBytes.data(second, false, text("two")));
            assertThat(client.read(client.get("/")).body()).isEqualTo("plain");
            client.send(FrameBytes.data(first, true), FrameBytes.data(second, true));

            assertThat(client.read(first).body()).isEqualTo("one");
            assertThat(client.read(second).body()).isEqualTo("two");
        }
    }

    @EachTransport
    void closedClientWindowAppliesBackPressure(TransportKind transport) throws Exception {
        byte[] sent = bytes(MUCH);
        Script pouring = WebSockets.switching(connection -> connection.send(sent));
        try (TestBackend backend = TestBackend.playing(pouring);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port()).keepingWindows()) {
            int stream = WebSockets.open(client);
            client.await("all that may come", () -> client.response(stream).bytes().length == 65_535);
            balancer.awaitStandstill(() -> balancer.count(BackendCounter.BYTES_FROM));
            assertThat(balancer.buffersInUse()).isLessThan(MAX_MEMORY);

            client.send(FrameBytes.windowUpdate(0, MUCH), FrameBytes.windowUpdate(stream, MUCH));
            client.send(FrameBytes.data(stream, /* ends= */ true));

            assertThat(checksum(client.read(stream).bytes())).isEqualTo(checksum(sent));
            assertOver(balancer);
        }
    }

    @EachTransport
    void slowBackendAppliesBackPressure(TransportKind transport) throws Exception {
        byte[] sent = bytes(MUCH);
        CountDownLatch read = new CountDownLatch(1);
        Script slow = WebSockets.switching(connection -> {
            connection.await(read);
            connection.send(Long.toString(checksum(connection.readToEnd())));
        });
        try (TestBackend backend = TestBackend.playing(slow);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = WebSockets.open(client);

            CompletableFuture<Void> watching = CompletableFuture.runAsync(() -> {
                balancer.awaitStandstill(() -> balancer.count(ListenerCounter.BYTES_IN));
                assertThat(balancer.buffersInUse()).isLessThan(MAX_MEMORY);
                read.countDown();
            });
            client.upload(stream, /* ends= */ true, sent);

            assertThat(client.read(stream).body()).isEqualTo(Long.toString(checksum(sent)));
            watching.join();
        }
    }

    @EachTransport
    void halfClosedClientReceivesRest(TransportKind transport) throws Exception {
        Script last = WebSockets.switching(connection ->
                connection.send("got " + new String(connection.readToEnd(), StandardCharsets.ISO_8859_1)));
        try (TestBackend backend = TestBackend.playing(last);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = WebSockets.open(client);

            client.send(FrameBytes.data(stream, /* ends= */ true, text("all")));

            assertThat(client.read(stream).body()).isEqualTo("got all");
            assertThat(client.response(stream).isComplete()).isTrue();
            assertOver(balancer);
        }
    }

    @EachTransport
    void clientFinishedWithRequestReceivesRest(TransportKind transport) throws Exception {
        Script last = WebSockets.switching(connection -> connection.send("got " + connection.readToEnd().length));
        try (TestBackend backend = TestBackend.playing(last);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.newStream();
            client.send(FrameBytes.headers(stream, /* ends= */ true, WebSockets.head()));

            assertThat(client.read(stream).body()).isEqualTo("got 0");
            assertOver(balancer);
        }
    }

    @EachTransport
    void halfClosedBackendReceivesRest(TransportKind transport) throws Exception {
        CompletableFuture<String> got = new CompletableFuture<>();
        Script first = WebSockets.switching(connection -> {
            connection.send("bye").finishSending();
            got.complete(new String(connection.readToEnd(), StandardCharsets.ISO_8859_1));
        });
        try (TestBackend backend = TestBackend.playing(first);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = WebSockets.open(client);

            assertThat(client.read(stream).body()).isEqualTo("bye");
            client.send(FrameBytes.data(stream, false, text("and ")), FrameBytes.data(stream, true, text("more")));

            assertThat(got).succeedsWithin(TestTimeout.LIMIT).isEqualTo("and more");
            assertOver(balancer);
            client.sync();
        }
    }

    @EachTransport
    void clientResetIsForwarded(TransportKind transport) throws Exception {
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        try (TestBackend backend = TestBackend.playing(
                        WebSockets.switching(connection -> reset.complete(connection.endsInReset())));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = WebSockets.open(client);

            client.send(FrameBytes.reset(stream, ErrorCode.CANCEL.ordinal()));

            assertThat(reset).succeedsWithin(TestTimeout.LIMIT).isEqualTo(true);
            assertOver(balancer);
            assertThat(balancer.count(Failure.CLIENT_GONE)).isEqualTo(1);
            client.sync();
        }
    }

    @EachTransport
    void lostConnectionResetsBackend(TransportKind transport) throws Exception {
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        try (TestBackend backend = TestBackend.playing(
                        WebSockets.switching(connection -> reset.complete(connection.endsInReset())));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            WebSockets.open(client);

            client.close();

            assertThat(reset).succeedsWithin(TestTimeout.LIMIT).isEqualTo(true);
            assertOver(balancer);
        }
    }

    @EachTransport
    void trailersAreRejected(TransportKind transport) throws Exception {
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        try (TestBackend backend = TestBackend.playing(
                        WebSockets.switching(connection -> reset.complete(connection.endsInReset())));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = WebSockets.open(client);

            client.send(FrameBytes.headers(stream, /* ends= */ true, FrameBytes.block("a", "b")));

            assertThat(client.read(stream).resetCode()).isEqualTo(ErrorCode.PROTOCOL_ERROR.ordinal());
            assertThat(reset).succeedsWithin(TestTimeout.LIMIT).isEqualTo(true);
            assertOver(balancer);
            assertThat(balancer.count(Failure.BAD_REQUEST)).isEqualTo(1);
        }
    }

    @EachTransport
    void backendResetIsForwarded(TransportKind transport) throws Exception {
        CountDownLatch now = new CountDownLatch(1);
        Script breaking =
                WebSockets.switching(connection -> connection.await(now).reset());
        try (TestBackend backend = TestBackend.playing(breaking);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = WebSockets.open(client);

            now.countDown();

            assertThat(client.read(stream).resetCode()).isEqualTo(ErrorCode.CANCEL.ordinal());
            assertOver(balancer);
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.RETRIES)).isZero();
            client.sync();
        }
    }

    @EachTransport
    void idleTunnelIsReset(TransportKind transport) throws Exception {
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        ClientDeadlines deadlines =
                new ClientDeadlines(LONG, LONG, LONG, LONG, Duration.ZERO, MinimumRate.DEFAULT, SHORT);
        try (TestBackend backend = TestBackend.playing(
                        WebSockets.switching(connection -> reset.complete(connection.endsInReset())));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .deadlines(deadlines)
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = WebSockets.open(client);

            assertThat(client.read(stream).resetCode()).isEqualTo(ErrorCode.CANCEL.ordinal());
            assertThat(reset).succeedsWithin(TestTimeout.LIMIT).isEqualTo(true);
            assertOver(balancer);
            assertThat(balancer.count(Failure.TUNNEL_IDLE)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.ERRORS)).isZero();
        }
    }

    /** The request and response deadlines would each have ended the tunnel. */
    @Test
    void onlyIdleTimeoutEndsTunnel() throws Exception {
        MinimumRate rate = new MinimumRate(1 << 30, 1 << 30, SHORT);
        ClientDeadlines deadlines = new ClientDeadlines(SHORT, SHORT, SHORT, SHORT, Duration.ofSeconds(1), rate, LONG);
        Script pouring = WebSockets.switching(connection -> {
            connection.send(bytes(128 * 1024));
            connection.echo();
        });
        try (TestBackend backend = TestBackend.playing(pouring);
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .deadlines(deadlines)
                        .start();
                Http2Client client = Http2Client.connect(balancer.port()).keepingWindows()) {
            int stream = WebSockets.open(client);
            client.await(
                    "all that the windows allow", () -> client.response(stream).bytes().length == 65_535);
            // makes the balancer check the stream window, which is still 0
            client.send(FrameBytes.windowUpdate(0, 1)).sync();
            long end = System.nanoTime() + Duration.ofMillis(1500).toNanos();
            balancer.await("much longer than any of them", () -> System.nanoTime() > end);

            client.send(FrameBytes.windowUpdate(0, MUCH), FrameBytes.windowUpdate(stream, MUCH));
            client.send(FrameBytes.data(stream, /* ends= */ true, text("x")));

            assertThat(client.read(stream).bytes()).hasSize(128 * 1024 + 1);
            assertThat(client.response(stream).isComplete()).isTrue();
        }
    }

    @EachTransport
    void tunnelEndingDuringDrainIsNotCounted(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(WebSockets.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = WebSockets.open(client);

            CompletableFuture<Integer> drained =
                    CompletableFuture.supplyAsync(() -> balancer.frontend().drain(TestTimeout.LIMIT));
            client.await("a GOAWAY", () -> client.goAways() == 1);
            client.send(FrameBytes.data(stream, /* ends= */ true, text("last")));

            assertThat(client.read(stream).body()).isEqualTo("last");
            assertThat(client.readToEnd()).isEqualTo(ErrorCode.NO_ERROR);
            assertThat(drained.join()).isZero();
        }
    }

    @Test
    void drainClosesTunnelAfterGracePeriod() throws Exception {
        try (TestBackend backend = TestBackend.playing(WebSockets.switching(ScriptedConnection::awaitClose));
                TestBalancer balancer =
                        BalancerSetup.on(TransportKind.NIO).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            WebSockets.open(client);

            assertThat(balancer.frontend().drain(Duration.ofMillis(50))).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.TUNNELS_CLOSED)).isZero();
            balancer.frontend().close();

            client.readAll();
            backend.awaitConnectionEnd();
            assertOver(balancer);
        }
    }

    @EachTransport
    void tunnelIsInFlightWithoutResponseTime(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(WebSockets.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).loops(1).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = WebSockets.open(client);

            assertThat(balancer.backend(0).stats().latency().count()).isEqualTo(1);
            assertThat(balancer.backend(0).inFlight().count()).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.REQUESTS_COMPLETED)).isZero();
            assertThat(balancer.count(BackendCounter.RESPONSES_1XX)).isEqualTo(1);

            client.send(FrameBytes.data(stream, /* ends= */ true)).read(stream);
            assertOver(balancer);
            assertThat(balancer.backend(0).stats().latency().count()).isEqualTo(1);
            assertThat(balancer.backend(0).inFlight().count()).isZero();
        }
    }

    private static void assertOver(TestBalancer balancer) {
        balancer.awaitQuietBackends();
        balancer.await("the end", () -> balancer.count(ListenerCounter.REQUESTS_COMPLETED) == 1);
        assertThat(balancer.count(ListenerCounter.TUNNELS_OPENED)).isEqualTo(1);
        assertThat(balancer.count(ListenerCounter.TUNNELS_CLOSED)).isEqualTo(1);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    private static long checksum(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return (sum.getValue() << 24) | (bytes.length & 0xffffff);
    }
}
