package io.ballast.http.h2.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendProtocol;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Request;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.StallingChannel;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests backends with connection errors: exchanges fail, the connection ends, and the next exchange uses a new
 * connection.
 */
class FaultyBackendTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    static Stream<Arguments> faults() {
        byte[] head = FrameBytes.block(":status", "200");
        return Stream.of(
                fault(ErrorCode.FRAME_SIZE_ERROR, FrameBytes.frame(Frame.DATA, 0, 1, new byte[16_385])),
                fault(ErrorCode.FRAME_SIZE_ERROR, FrameBytes.frame(0x77, 0, 0, new byte[16_385])),
                fault(ErrorCode.FRAME_SIZE_ERROR, FrameBytes.frame(Frame.SETTINGS, 0, 0, new byte[5])),
                fault(ErrorCode.FRAME_SIZE_ERROR, FrameBytes.frame(Frame.PING, 0, 0, new byte[7])),
                fault(ErrorCode.FRAME_SIZE_ERROR, FrameBytes.frame(Frame.WINDOW_UPDATE, 0, 0, new byte[3])),
                fault(ErrorCode.FRAME_SIZE_ERROR, FrameBytes.frame(Frame.GOAWAY, 0, 0, new byte[7])),
                fault(ErrorCode.COMPRESSION_ERROR, FrameBytes.headers(1, true, new byte[] {(byte) 0x80})),
                fault(
                        ErrorCode.COMPRESSION_ERROR,
                        FrameBytes.headers(1, true, new byte[] {(byte) 0xff, -1, -1, -1, -1, 15})),
                fault(ErrorCode.PROTOCOL_ERROR, FrameBytes.frame(Frame.PUSH_PROMISE, 4, 1, new byte[8])),
                fault(ErrorCode.PROTOCOL_ERROR, FrameBytes.priorityUpdate(1, "u=1")),
                fault(ErrorCode.PROTOCOL_ERROR, FrameBytes.headers(2, true, head)),
                fault(ErrorCode.PROTOCOL_ERROR, FrameBytes.headers(99, true, head)),
                fault(ErrorCode.PROTOCOL_ERROR, FrameBytes.headers(0, true, head)),
                fault(ErrorCode.PROTOCOL_ERROR, FrameBytes.data(0, true, (byte) 1)),
                fault(ErrorCode.PROTOCOL_ERROR, FrameBytes.data(99, true, (byte) 1)),
                fault(ErrorCode.PROTOCOL_ERROR, FrameBytes.reset(99, 0)),
                fault(ErrorCode.PROTOCOL_ERROR, FrameBytes.frame(Frame.CONTINUATION, 4, 1, head)),
                fault(ErrorCode.PROTOCOL_ERROR, FrameBytes.frame(Frame.DATA, Frame.PADDED, 1, (byte) 9)),
                fault(ErrorCode.PROTOCOL_ERROR, FrameBytes.frame(Frame.DATA, Frame.PADDED, 1)),
                fault(ErrorCode.PROTOCOL_ERROR, FrameBytes.frame(Frame.HEADERS, Frame.PADDED | 4, 1, (byte) 9)),
                fault(ErrorCode.PROTOCOL_ERROR, FrameBytes.frame(Frame.HEADERS, Frame.PRIORITIZED | 4, 1, (byte) 9)),
                fault(
                        ErrorCode.PROTOCOL_ERROR,
                        FrameBytes.join(FrameBytes.frame(Frame.HEADERS, 0, 1, head), FrameBytes.ping(1))),
                fault(ErrorCode.PROTOCOL_ERROR, FrameBytes.settings(Setting.ENABLE_PUSH, 2)),
                fault(ErrorCode.PROTOCOL_ERROR, FrameBytes.settings(Setting.ENABLE_CONNECT_PROTOCOL, 2)),
                fault(
                        ErrorCode.PROTOCOL_ERROR,
                        FrameBytes.join(
                                FrameBytes.settings(Setting.ENABLE_CONNECT_PROTOCOL, 1),
                                FrameBytes.settings(Setting.ENABLE_CONNECT_PROTOCOL, 0))),
                fault(ErrorCode.FLOW_CONTROL_ERROR, FrameBytes.settings(Setting.INITIAL_WINDOW_SIZE, -1)),
                fault(
                        ErrorCode.ENHANCE_YOUR_CALM,
                        FrameBytes.join(
                                FrameBytes.frame(Frame.HEADERS, 0, 1),
                                FrameBytes.repeat(100, FrameBytes.frame(Frame.CONTINUATION, 0, 1)))));
    }

    private static Arguments fault(ErrorCode errorCode, byte[] frames) {
        return Arguments.of(errorCode, frames);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void faultyConnectionIsReplaced(ErrorCode errorCode, byte[] frames) throws Exception {
        Http2Script faulty = connection -> {
            connection.begin();
            connection.nextRequest();
            connection.send(frames);
            int code = connection.readToEnd();
            if (code != errorCode.ordinal()) {
                throw new AssertionError("GOAWAY with " + code);
            }
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(faulty, Http2Script.ok("new"));
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().status()).isEqualTo(502);
            backend.awaitConnectionEnd();
            assertThat(Http2Balancers.request(balancer, GET).body()).isEqualTo("new");
            assertThat(balancer.count(BackendCounter.FAILED_BAD_RESPONSE)).isEqualTo(1);
        }
    }

    @Test
    void http11BackendCauses502() throws Exception {
        for (String answer : new String[] {"HTTP/1.1 400 Bad Request\r\n\r\n", "", "\0", "x"}) {
            Script confused = connection -> {
                connection.readExactly(24);
                connection.send(answer).finishSending().awaitClose();
            };
            try (TestBackend backend = TestBackend.accepting(confused);
                    TestBalancer balancer =
                            Http2Balancers.before().backend(backend.address()).start();
                    RawClient client = balancer.client()) {
                assertThat(client.send(GET).read().status()).isEqualTo(502);
                assertThat(Http2Balancers.request(balancer, GET).status()).isEqualTo(502);
            }
        }
    }

    @Test
    void framesBeforeSettingsAreRejected() throws Exception {
        Http2Script hasty = connection -> {
            connection.readPreface();
            connection.send(FrameBytes.frame(Frame.SETTINGS, Frame.ACK, 0), FrameBytes.settings());
            Http2Request request = connection.nextRequest();
            connection.answer(request, "early").readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(hasty);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().status()).isEqualTo(502);
        }
    }

    @Test
    void settingsAndPingsAreAcknowledged() throws Exception {
        Http2Script pending = connection -> {
            connection.begin();
            Http2Request request = connection.nextRequest();
            connection.send(FrameBytes.settings(Setting.HEADER_TABLE_SIZE, 0), FrameBytes.settings(0x99, 7));
            connection.sync().await("acknowledgements", () -> connection.settingsAcks() == 3);
            connection.answer(request, "ok").readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(pending);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            assertThat(Http2Balancers.request(balancer, GET).body()).isEqualTo("ok");
        }
    }

    /** gRPC servers measure the round-trip time with PINGs while the send queue to them is full. */
    @Test
    void pingsAreAcknowledgedDuringLargeBody() throws Exception {
        int length = 1 << 20;
        int some = PendingAcks.MAX / 2;
        byte[] pings = FrameBytes.repeat(some, FrameBytes.ping(1));
        Http2Script measuring = connection -> {
            connection.begin(Setting.INITIAL_WINDOW_SIZE, length).send(FrameBytes.windowUpdate(0, length));
            Http2Request request = connection.nextHead();
            connection.await(StallingChannel.until(pings.length).full()).send(pings);
            connection.await("the answers", () -> connection.count(Frame.PING) == some);
            connection.await("the rest", request::isEnded);
            connection.answer(request, "" + request.bodyBytes()).readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(measuring);
                TestBalancer balancer = BalancerSetup.stalling()
                        .loops(1)
                        .protocol(BackendProtocol.H2C)
                        .backend(backend.address())
                        .start();
                RawClient client = balancer.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n", "x".repeat(length));

            assertThat(client.read().body()).isEqualTo("" + length);
        }
    }

    @Test
    void floodsCloseConnection() throws Exception {
        for (byte[] frame : new byte[][] {FrameBytes.ping(1), FrameBytes.settings()}) {
            byte[] many = FrameBytes.repeat(10_000, frame);
            Http2Script flooding = connection -> {
                connection.begin();
                connection.nextRequest();
                while (true) {
                    connection.send(many); // sends until the balancer closes the connection
                }
            };
            try (Http2TestBackend backend =
                            Http2TestBackend.withReceiveBuffer(4_096, flooding, Http2Script.ok("calm"));
                    TestBalancer balancer = Http2Balancers.start(backend);
                    RawClient client = balancer.client()) {
                assertThat(client.send(GET).read().status()).isEqualTo(502);
                backend.awaitConnectionEnd();
                assertThat(Http2Balancers.request(balancer, GET).body()).isEqualTo("calm");
            }
        }
    }

    @Test
    void tooLargeHeadCauses502() throws Exception {
        Http2Script large = Http2Script.serving((connection, request) -> {
            byte[] block = FrameBytes.block(":status", "200", "a", "x".repeat(16_000));
            byte[] more = FrameBytes.block("b", "x".repeat(16_000));
            connection.send(FrameBytes.frame(Frame.HEADERS, 0, request.stream(), block));
            for (int i = 0; i < 4; i++) {
                connection.send(FrameBytes.frame(Frame.CONTINUATION, 0, request.stream(), more));
            }
            connection.send(FrameBytes.frame(Frame.CONTINUATION, Frame.END_HEADERS, request.stream(), more));
        });
        try (Http2TestBackend backend = Http2TestBackend.playing(large);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().status()).isEqualTo(502);
        }
    }
}
