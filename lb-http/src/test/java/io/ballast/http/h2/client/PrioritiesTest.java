package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the order of responses that wait for the connection window (RFC 9218). */
class PrioritiesTest {

    private static final int FRAME = Frame.MAX_PAYLOAD_BYTES;
    private static final int MUCH = 1 << 20;
    private static final String HEAVY = "/heavy";

    @Test
    void lowerUrgencyThenEarlierRequestIsFirst() {
        List<Integer> order = order(client -> List.of(
                client.get(HEAVY, "priority", "u=5"),
                client.get(HEAVY, "priority", "u=1"),
                client.get(HEAVY),
                client.get(HEAVY, "priority", "u=1"),
                client.get(HEAVY, "priority", "u=3")));

        assertThat(order).containsExactly(1, 1, 3, 3, 2, 2, 4, 4, 0, 0);
    }

    @Test
    void incrementalStreamsTakeTurns() {
        List<Integer> order = order(client -> List.of(
                client.get(HEAVY, "priority", "i"),
                client.get(HEAVY, "priority", "u=3, i"),
                client.get(HEAVY),
                client.get(HEAVY, "priority", "i", "priority", "u=2")));

        assertThat(order).containsExactly(3, 3, 2, 2, 0, 1, 0, 1);
    }

    @Test
    void streamsTakeTurnsWithoutPriorities() {
        List<Integer> order = order(client -> List.of(client.get(HEAVY), client.get(HEAVY), client.get(HEAVY)));

        assertThat(order).containsExactly(0, 0, 1, 1, 2, 2);
    }

    @Test
    void invalidPriorityIsIgnored() {
        List<Integer> order = order(client -> List.of(
                client.get(HEAVY, "priority", "u=9"),
                client.get(HEAVY, "priority", "u=1,"),
                client.get(HEAVY, "priority", "u=2")));

        assertThat(order).containsExactly(2, 2, 0, 0, 1, 1);
    }

    @Test
    void priorityUpdateTakesEffect() {
        List<Integer> order = order(client -> {
            int first = client.get(HEAVY, "priority", "u=0");
            int second = client.get(HEAVY);
            int third = client.get(HEAVY);
            client.send(FrameBytes.priorityUpdate(first, ""), FrameBytes.priorityUpdate(third, "u=2"));
            client.send(FrameBytes.priorityUpdate(third, "?")); // invalid, so ignored
            return List.of(first, second, third);
        });

        assertThat(order).containsExactly(2, 2, 0, 0, 1, 1);
    }

    @Test
    void priorityUpdateMayPrecedeRequest() {
        List<Integer> order = order(client -> {
            int first = client.newStream();
            int second = client.newStream();
            client.send(FrameBytes.priorityUpdate(second, "u=7"), FrameBytes.priorityUpdate(second, "u=1"));
            send(client, first, "u=2");
            send(client, second, "u=5");
            return List.of(first, second);
        });

        assertThat(order).containsExactly(1, 1, 0, 0);
    }

    private static void send(Http2Client client, int stream, String priority) {
        client.send(FrameBytes.headers(
                stream,
                /* ends= */ true,
                FrameBytes.join(Http2Client.head("GET", HEAVY), FrameBytes.block("priority", priority))));
    }

    /** Sends requests whose responses all wait; returns the order of their frames as request indexes. */
    private static List<Integer> order(Function<Http2Client, List<Integer>> pending) {
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port(), Setting.INITIAL_WINDOW_SIZE, MUCH)
                        .keepingWindows()) {
            client.read(client.get("/full"));
            client.dataFrames().clear();
            List<Integer> streams = pending.apply(client);
            client.sync();
            assertThat(client.dataFrames()).isEmpty();
            client.send(FrameBytes.windowUpdate(0, MUCH));
            streams.forEach(client::read);
            return client.dataFrames().stream().map(streams::indexOf).toList();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static TestBalancer balancer(TestBackend backend) throws Exception {
        return BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .respond("/full", 200, "x".repeat(Setting.DEFAULT_WINDOW))
                .respond(HEAVY, 200, "x".repeat(2 * FRAME))
                .start();
    }

    /** The least urgent stream gets bandwidth, regardless of how much urgent data is waiting. */
    @Test
    void lowestUrgencyIsNotStarved() throws Exception {
        Script pouring = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + 400 * FRAME + "\r\n\r\n" + "x".repeat(400 * FRAME));
            connection.awaitClose();
        };
        try (TestBackend backend = TestBackend.playing(pouring);
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port(), Setting.INITIAL_WINDOW_SIZE, 400 * FRAME)
                        .keepingWindows()) {
            client.read(client.get("/full"));
            client.dataFrames().clear();
            int urgent = client.get("/", "priority", "u=0");
            client.await("a head", () -> client.response(urgent).status() == 200);
            int idle = client.get(HEAVY, "priority", "u=7");
            client.sync();
            for (int i = 0; i < 400 && !client.response(idle).isEnded(); i++) {
                balancer.goRound(); // so that more urgent data is always available
                client.send(FrameBytes.windowUpdate(0, FRAME)).sync();
            }

            assertThat(client.response(idle).isComplete()).isTrue();
            assertThat(client.response(urgent).isEnded()).isFalse();
            assertThat(client.dataFrames().indexOf(idle)).isGreaterThan(5);
        }
    }

    @Test
    void earlyUpdateIsForwardedAsField() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer =
                        BalancerSetup.on(TransportKind.NIO).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.newStream();
            client.send(FrameBytes.priorityUpdate(stream, "i, u=6"));
            send(client, stream, "u=5, x=y");
            client.read(stream);
            client.read(client.get("/", "priority", "u=5, x=y"));

            assertThat(backend.nextRequest())
                    .contains("\r\npriority: u=6, i\r\n")
                    .doesNotContain("u=5");
            assertThat(backend.nextRequest()).contains("\r\npriority: u=5, x=y\r\n");
        }
    }

    @Test
    void advertisesNoRfc7540Priorities() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            client.sync();

            assertThat(client.setting(Setting.NO_RFC7540_PRIORITIES)).isEqualTo(1);
        }
    }

    static Stream<Arguments> faults() {
        byte[] tooMany = new byte[0];
        for (int i = 0; i <= Http2Connection.MAX_STREAMS; i++) {
            tooMany = FrameBytes.join(tooMany, FrameBytes.priorityUpdate(2 * i + 1, "u=1"));
        }
        byte[] value = FrameBytes.join(FrameBytes.number(1), new byte[] {'i'});
        return Stream.of(
                Arguments.of(ErrorCode.PROTOCOL_ERROR, FrameBytes.frame(Frame.PRIORITY_UPDATE, 0, 1, value)),
                Arguments.of(ErrorCode.FRAME_SIZE_ERROR, FrameBytes.frame(Frame.PRIORITY_UPDATE, 0, 0, new byte[3])),
                Arguments.of(ErrorCode.PROTOCOL_ERROR, FrameBytes.priorityUpdate(0, "u=1")),
                Arguments.of(ErrorCode.PROTOCOL_ERROR, FrameBytes.priorityUpdate(2, "u=1")),
                Arguments.of(ErrorCode.PROTOCOL_ERROR, tooMany),
                Arguments.of(ErrorCode.PROTOCOL_ERROR, FrameBytes.settings(Setting.NO_RFC7540_PRIORITIES, 2)));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void malformedUpdateClosesConnection(ErrorCode code, byte[] frames) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            assertThat(client.send(frames).readToEnd()).isEqualTo(code);
            assertThat(balancer.count(ListenerCounter.HTTP2_ERRORS)).isEqualTo(1);
        }
    }

    /** The priority of a stream that is not open counts towards a limit until that stream, or a later stream, opens. */
    @Test
    void earlyUpdatesUpToStreamLimitAreAccepted() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            for (int round = 0; round < 3; round++) {
                int first = client.newStream();
                for (int i = 0; i < Http2Connection.MAX_STREAMS - 1; i++) {
                    client.send(FrameBytes.priorityUpdate(i == 0 ? first : client.newStream(), "u=1"));
                }
                client.sync();
                assertThat(client.read(client.get("/")).body()).isEqualTo("ok");
            }
        }
    }
}
