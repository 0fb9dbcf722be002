package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests requests that cost the balancer more than the client. Closing the balancer in each test checks for leaks. */
class FloodTest {

    private static final int MAX_ROUNDS = 5_000;

    static Stream<Arguments> ofFrames() {
        return Stream.of(
                flood("PING", FrameBytes.ping(0)),
                flood("SETTINGS", FrameBytes.settings(4, 65_535)),
                flood("SETTINGS ACK", FrameBytes.frame(Frame.SETTINGS, Frame.ACK, 0)),
                flood("PRIORITY", FrameBytes.priority(7)),
                flood("PRIORITY_UPDATE", FrameBytes.priorityUpdate(7, "u=1")),
                flood("PRIORITY_UPDATE of the stream", FrameBytes.priorityUpdate(1, "u=1")),
                flood("WINDOW_UPDATE of the connection", FrameBytes.windowUpdate(0, 1)),
                flood("WINDOW_UPDATE of the stream", FrameBytes.windowUpdate(1, 1)),
                flood("empty DATA", FrameBytes.data(1, /* ends= */ false)),
                flood("DATA of padding", FrameBytes.frame(Frame.DATA, Frame.PADDED, 1, (byte) 2, (byte) 0, (byte) 0)),
                flood("unknown frames", FrameBytes.frame(0x99, 0, 1)));
    }

    private static Arguments flood(String name, byte[] frame) {
        return Arguments.of(name, frame);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ofFrames")
    void limitsUselessFrames(String name, byte[] frame) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            client.post("/");
            client.sync();
            byte[] many = FrameBytes.repeat(100, frame);

            assertFlood(client, balancer, round -> many);

            balancer.awaitQuietBackends();
        }
    }

    static Stream<Arguments> ofResets() {
        BiFunction<Integer, byte[], byte[]> then = (stream, second) ->
                FrameBytes.join(FrameBytes.headers(stream, true, Http2Client.head("GET", "/")), second);
        return Stream.of(
                resets("rapid", stream -> then.apply(stream, FrameBytes.reset(stream, 8))),
                resets("made by an update of 0", stream -> then.apply(stream, FrameBytes.windowUpdate(stream, 0))),
                resets(
                        "made by a window that is too large",
                        stream -> then.apply(stream, FrameBytes.windowUpdate(stream, Integer.MAX_VALUE))),
                resets("made by data behind the end", stream -> then.apply(stream, FrameBytes.data(stream, true))),
                resets(
                        "made by a second head",
                        stream -> then.apply(stream, FrameBytes.headers(stream, true, FrameBytes.block("a", "b")))),
                resets(
                        "made by a priority of the wrong size",
                        stream -> then.apply(stream, FrameBytes.frame(Frame.PRIORITY, 0, stream, new byte[4]))),
                resets("made by a malformed head", stream -> FrameBytes.headers(stream, true, new byte[0])));
    }

    private static Arguments resets(String name, IntFunction<byte[]> frames) {
        return Arguments.of(name, frames);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ofResets")
    void limitsResetRequests(String name, IntFunction<byte[]> frames) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            assertFlood(client, balancer, round -> frames.apply(client.newStream()));

            assertThat(balancer.count(ListenerCounter.REQUESTS)).isLessThan(MAX_ROUNDS);
            balancer.awaitQuietBackends();
        }
    }

    @Test
    void limitsStreamsBeyondMaximum() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            assertFlood(
                    client,
                    balancer,
                    round -> FrameBytes.headers(client.newStream(), true, Http2Client.head("GET", "/")));

            assertThat(balancer.count(ListenerCounter.REQUESTS)).isEqualTo(Http2Connection.MAX_STREAMS);
        }
    }

    private static void assertFlood(Http2Client client, TestBalancer balancer, IntFunction<byte[]> frames) {
        for (int round = 0; round < MAX_ROUNDS && client.trySend(frames.apply(round)) && client.trySync(); round++) {}
        assertThat(client.readToEnd()).isEqualTo(ErrorCode.ENHANCE_YOUR_CALM);
        assertThat(balancer.count(ListenerCounter.HTTP2_FLOODS)).isEqualTo(1);
        assertThat(balancer.count(ListenerCounter.HTTP2_ERRORS)).isEqualTo(1);
    }

    @Test
    void limitsSmallContinuations() throws Exception {
        assertEndlessHead(new byte[1]);
    }

    @Test
    void limitsEmptyContinuations() throws Exception {
        assertEndlessHead(new byte[0]);
    }

    @Test
    void limitsLargeContinuations() throws Exception {
        assertEndlessHead(new byte[16_000]);
    }

    private static void assertEndlessHead(byte[] piece) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            Arrays.fill(piece, (byte) 0x82);
            client.send(FrameBytes.frame(Frame.HEADERS, Frame.END_STREAM, 1, piece));
            byte[] more = FrameBytes.frame(Frame.CONTINUATION, 0, 1, piece);
            for (int i = 0; i < 100 && client.trySend(more); i++) {}

            assertThat(client.readToEnd()).isEqualTo(ErrorCode.ENHANCE_YOUR_CALM);
            assertThat(balancer.count(ListenerCounter.HTTP2_ERRORS)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.REQUESTS)).isZero();
        }
    }

    /** The block adds a large entry to the table and references it many times, with one byte each. */
    @Test
    void hpackBombCauses431() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            byte[] references = new byte[16_000];
            Arrays.fill(references, (byte) 0xbe);
            byte[] entry = FrameBytes.block("x", "y".repeat(4000));
            entry[0] = 0x40;
            int stream = client.newStream();
            client.send(
                    FrameBytes.frame(
                            Frame.HEADERS,
                            Frame.END_STREAM,
                            stream,
                            FrameBytes.join(Http2Client.head("GET", "/"), entry)),
                    FrameBytes.frame(Frame.CONTINUATION, 0, stream, references),
                    FrameBytes.frame(Frame.CONTINUATION, 0, stream, references),
                    FrameBytes.frame(Frame.CONTINUATION, Frame.END_HEADERS, stream, references));

            assertThat(client.read(stream).status()).isEqualTo(431);
            assertThat(client.read(client.get("/")).body()).isEqualTo("ok");
        }
    }

    @Test
    void ordinaryClientsStayBelowLimits() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            // the client also sends a window update and a PRIORITY frame for each request
            for (int i = 0; i < 15_000; i++) {
                int stream = client.get("/");
                client.send(FrameBytes.priority(stream));
                client.read(stream);
            }
            assertThat(balancer.count(ListenerCounter.HTTP2_ERRORS)).isZero();
        }
    }

    private static TestBalancer balancer(TestBackend backend) throws Exception {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).loops(1).start();
    }
}
