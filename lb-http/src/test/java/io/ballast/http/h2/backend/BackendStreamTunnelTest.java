package io.ballast.http.h2.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.MinimumRate;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Request;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.h2.testing.WebSockets;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.http.testing.Upgrades;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Tests tunnels over a stream to an HTTP/2 backend. */
class BackendStreamTunnelTest {

    private static final int MUCH = 16 * 1024 * 1024;
    private static final int PIECE = 1024 * 1024;
    private static final long MAX_MEMORY = 4 * 1024 * 1024;
    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(3);

    @Test
    void relaysLargeStreamsInBothDirections() throws Exception {
        byte[] sent = bytes(PIECE);
        try (Http2TestBackend backend =
                        Http2TestBackend.playing(WebSockets.taking((connection, request) -> connection.echo(request)));
                TestBalancer balancer = Http2Balancers.start(backend);
                Http2Client client = Http2Client.connect(balancer.port(), Setting.INITIAL_WINDOW_SIZE, PIECE)) {
            int stream = WebSockets.open(client);

            client.upload(stream, /* ends= */ true, sent);

            assertThat(client.read(stream).bytes()).isEqualTo(sent);
            assertThat(client.response(stream).isComplete()).isTrue();
            assertOver(balancer);
        }
    }

    @Test
    void slowClientAppliesBackPressure() throws Exception {
        byte[] sent = bytes(MUCH);
        CompletableFuture<Boolean> all = new CompletableFuture<>();
        Http2Script pouring = WebSockets.taking((connection, request) -> {
            connection.upload(request, /* ends= */ true, sent);
            all.complete(true);
        });
        try (Http2TestBackend backend = Http2TestBackend.playing(pouring);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = RawClient.connect(balancer.port(), /* receiveBuffer= */ 16 * 1024)) {
            client.send(Upgrades.REQUEST).readHead();
            balancer.awaitStandstill(() -> balancer.count(BackendCounter.BYTES_FROM));
            assertThat(all).isNotDone();
            assertThat(balancer.buffersInUse()).isLessThan(MAX_MEMORY);

            client.finishSending();

            assertThat(client.readToEnd().getBytes(StandardCharsets.ISO_8859_1)).isEqualTo(sent);
            assertOver(balancer);
        }
    }

    @Test
    void closedBackendWindowAppliesBackPressure() throws Exception {
        byte[] sent = bytes(PIECE);
        CountDownLatch now = new CountDownLatch(1);
        Http2Script slow = connection -> {
            connection.begin(Setting.ENABLE_CONNECT_PROTOCOL, 1).keepingWindows();
            Http2Request request = connection.nextHead();
            connection.head(request, /* ends= */ false, ":status", "200");
            connection
                    .await("a window full", () -> request.bodyBytes() == 65_535)
                    .await(now);
            connection.sync();
            if (request.bodyBytes() != 65_535) {
                throw new AssertionError(request.bodyBytes() + " bytes");
            }
            connection.send(FrameBytes.windowUpdate(0, MUCH), FrameBytes.windowUpdate(request.stream(), MUCH));
            connection.await("all", request::isEnded);
            connection
                    .data(request, /* ends= */ true, "" + Arrays.equals(request.bytes(), sent))
                    .readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(slow);
                TestBalancer balancer = Http2Balancers.start(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = WebSockets.open(client);
            CompletableFuture<Void> watching = CompletableFuture.runAsync(() -> {
                balancer.awaitStandstill(() -> balancer.count(ListenerCounter.BYTES_IN));
                assertThat(balancer.buffersInUse()).isLessThan(MAX_MEMORY);
                now.countDown();
            });

            client.upload(stream, /* ends= */ true, sent);

            assertThat(client.read(stream).body()).isEqualTo("true");
            watching.join();
            assertOver(balancer);
        }
    }

    @Test
    void halfClosedBackendReceivesRest() throws Exception {
        CompletableFuture<String> got = new CompletableFuture<>();
        Http2Script first = WebSockets.taking((connection, request) -> {
            connection.data(request, /* ends= */ true, "bye").await("the rest", request::isEnded);
            got.complete(request.body());
        });
        try (Http2TestBackend backend = Http2TestBackend.playing(first);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST).readHead();

            assertThat(client.readToEnd()).isEqualTo("bye");
            client.send("and ", "more").finishSending();

            assertThat(got).succeedsWithin(TestTimeout.LIMIT).isEqualTo("and more");
            assertOver(balancer);
        }
    }

    /** Servers send END_STREAM when a handler returns, then RST_STREAM to stop the upload. */
    @Test
    void finishedBackendMayReset() throws Exception {
        Http2Script returning = connection -> {
            connection.begin(Setting.ENABLE_CONNECT_PROTOCOL, 1);
            for (Http2Request request : new Http2Request[] {connection.nextHead(), connection.nextHead()}) {
                connection.head(request, /* ends= */ false, ":status", "200").data(request, /* ends= */ true, "bye");
                connection.send(FrameBytes.reset(request.stream(), ErrorCode.NO_ERROR.ordinal()));
            }
            connection.readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(returning);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client();
                Http2Client second = Http2Client.connect(balancer.port())) {
            client.send(Upgrades.REQUEST);
            int stream = WebSockets.request(second);

            assertThat(client.readHead()).startsWith("HTTP/1.1 101 ");
            assertThat(client.endAfterAll()).isEqualTo(RawClient.Ending.CLOSED);
            client.close();
            second.await("the end", () -> second.response(stream).isEnded());
            assertThat(second.response(stream).body()).isEqualTo("bye");
            assertThat(second.response(stream).isComplete()).isTrue();
            balancer.awaitQuietBackends();
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isZero();
            assertThat(balancer.count(ListenerCounter.TUNNELS_CLOSED)).isEqualTo(2);
        }
    }

    @Test
    void endOfStreamOpensTunnelForClientOnly() throws Exception {
        CompletableFuture<String> got = new CompletableFuture<>();
        Http2Script mute = connection -> {
            connection.begin(Setting.ENABLE_CONNECT_PROTOCOL, 1);
            Http2Request request = connection.nextHead();
            connection.head(request, /* ends= */ true, ":status", "200").await("all", request::isEnded);
            got.complete(request.body());
            connection.readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(mute);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            assertThat(client.send(Upgrades.REQUEST).readHead()).startsWith("HTTP/1.1 101 ");
            assertThat(client.readToEnd()).isEmpty();
            client.send("told").finishSending();

            assertThat(got).succeedsWithin(TestTimeout.LIMIT).isEqualTo("told");
            assertOver(balancer);
        }
    }

    @Test
    void backendResetIsForwarded() throws Exception {
        Http2Script breaking = connection -> {
            connection.begin(Setting.ENABLE_CONNECT_PROTOCOL, 1);
            for (Http2Request request : new Http2Request[] {connection.nextHead(), connection.nextHead()}) {
                connection.head(request, /* ends= */ false, ":status", "200").data(request, /* ends= */ false, "x");
                connection.await("data", () -> request.bodyBytes() > 0);
                connection.send(FrameBytes.reset(request.stream(), ErrorCode.INTERNAL_ERROR.ordinal()));
            }
            connection.readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(breaking);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client();
                Http2Client second = Http2Client.connect(balancer.port())) {
            client.send(Upgrades.REQUEST);
            balancer.await("it waits", () -> balancer.backend(0).inFlight().count() == 1);
            int stream = WebSockets.request(second);
            client.readHead();
            client.readExactly(1);
            client.send("y");
            second.await("a tunnel", () -> second.response(stream).body().equals("x"));
            second.send(FrameBytes.data(stream, /* ends= */ false, (byte) 'y'));

            assertThat(client.endAfterAll()).isEqualTo(RawClient.Ending.RESET);
            assertThat(second.read(stream).resetCode()).isEqualTo(ErrorCode.CANCEL.ordinal());
            balancer.awaitQuietBackends();
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isEqualTo(2);
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    @Test
    void clientResetCancelsStream() throws Exception {
        CompletableFuture<Integer> code = new CompletableFuture<>();
        Http2Script awaiting =
                WebSockets.taking((connection, request) -> code.complete(connection.awaitReset(request)));
        try (Http2TestBackend backend = Http2TestBackend.playing(awaiting);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST).readHead();

            client.reset();

            assertThat(code).succeedsWithin(TestTimeout.LIMIT).isEqualTo(ErrorCode.CANCEL.ordinal());
            assertOver(balancer);
            assertThat(balancer.count(Failure.CLIENT_GONE)).isEqualTo(1);
        }
    }

    @Test
    void idleTunnelIsReset() throws Exception {
        CompletableFuture<Integer> code = new CompletableFuture<>();
        ClientDeadlines deadlines =
                new ClientDeadlines(LONG, LONG, LONG, LONG, Duration.ZERO, MinimumRate.DEFAULT, Duration.ofMillis(150));
        Http2Script awaiting =
                WebSockets.taking((connection, request) -> code.complete(connection.awaitReset(request)));
        try (Http2TestBackend backend = Http2TestBackend.playing(awaiting);
                TestBalancer balancer =
                        Http2Balancers.before(backend).deadlines(deadlines).start();
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST).readHead();

            assertThat(client.endAfterAll()).isEqualTo(RawClient.Ending.RESET);
            assertThat(code).succeedsWithin(TestTimeout.LIMIT).isEqualTo(ErrorCode.CANCEL.ordinal());
            assertOver(balancer);
            assertThat(balancer.count(Failure.TUNNEL_IDLE)).isEqualTo(1);
        }
    }

    /** RFC 9113 section 8.5: only DATA, RST_STREAM and WINDOW_UPDATE are allowed. */
    @Test
    void trailersAreRejected() throws Exception {
        CompletableFuture<Integer> code = new CompletableFuture<>();
        Http2Script faulty = WebSockets.taking((connection, request) -> {
            connection.send(FrameBytes.headers(request.stream(), /* ends= */ true, FrameBytes.block("a", "b")));
            code.complete(connection.awaitReset(request));
        });
        try (Http2TestBackend backend = Http2TestBackend.playing(faulty);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST);

            assertThat(code).succeedsWithin(TestTimeout.LIMIT).isEqualTo(ErrorCode.PROTOCOL_ERROR.ordinal());
            client.endAfterAll();
            assertOver(balancer);
            assertThat(balancer.count(Failure.BAD_RESPONSE)).isEqualTo(1);
        }
    }

    @Test
    void tunnelContinuesAfterGoaway() throws Exception {
        Http2Script leaving = WebSockets.taking((connection, request) -> {
            byte[] last = FrameBytes.goAway();
            last[12] = (byte) request.stream();
            connection.send(last).echo(request);
        });
        try (Http2TestBackend backend = Http2TestBackend.playing(leaving);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST).readHead();

            assertThat(client.send("on").finishSending().readToEnd()).isEqualTo("on");
            backend.awaitConnectionEnd();
            assertOver(balancer);
        }
    }

    private static void assertOver(TestBalancer balancer) {
        balancer.awaitQuietBackends();
        balancer.await("the end", () -> balancer.count(ListenerCounter.REQUESTS_COMPLETED) == 1);
        assertThat(balancer.count(ListenerCounter.TUNNELS_OPENED)).isEqualTo(1);
        assertThat(balancer.count(ListenerCounter.TUNNELS_CLOSED)).isEqualTo(1);
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(7).nextBytes(bytes);
        return bytes;
    }
}
