package io.ballast.http.h2.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendProtocol;
import io.ballast.core.testing.Connections;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Request;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.TestBalancer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests flow control to and from HTTP/2 backends. */
class WindowsTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final int UPLOAD_BYTES = 300_000;
    private static final String POST =
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + UPLOAD_BYTES + "\r\n\r\n" + "x".repeat(UPLOAD_BYTES);

    @Test
    void requestWaitsForClosedWindow() throws Exception {
        Http2Script closed = talk -> {
            talk.begin(Setting.INITIAL_WINDOW_SIZE, 0);
            Http2Request first = talk.nextRequest();
            talk.answer(first, "first");
            Http2Request second = talk.nextHead();
            talk.sync().sync();
            String before = second.body();
            talk.send(FrameBytes.windowUpdate(second.stream(), 1)).sync();
            String after = second.body();
            talk.send(FrameBytes.settings(Setting.INITIAL_WINDOW_SIZE, 2)).await("the rest", second::isEnded);
            talk.answer(second, before + "|" + after + "|" + second.body()).readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(closed);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            client.send(GET).read();
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");

            assertThat(client.read().body()).isEqualTo("|a|abc");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 65_535, 1_000_000})
    void largeRequestPassesWithAnyWindow(int window) throws Exception {
        Http2Script counting = Http2Script.serving(
                (talk, request) -> talk.answer(request, "" + request.bodyBytes()), Setting.INITIAL_WINDOW_SIZE, window);
        try (Http2TestBackend backend = Http2TestBackend.playing(counting);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            assertThat(client.send(POST).read().body()).isEqualTo("" + UPLOAD_BYTES);
            assertThat(client.send(POST).read().body()).isEqualTo("" + UPLOAD_BYTES);
        }
    }

    @Test
    void stalledRequestTimesOut() throws Exception {
        Http2Script stopping = talk -> {
            talk.begin().keepingWindows();
            Http2Request request = talk.nextHead();
            if (talk.awaitReset(request) != ErrorCode.CANCEL.ordinal()) {
                throw new AssertionError("code " + request.resetCode());
            }
            talk.readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(stopping);
                TestBalancer balancer = Http2Balancers.before(backend)
                        .connections(
                                new Connections().protocol(BackendProtocol.H2C).responseTimeout(Duration.ofMillis(300)))
                        .start();
                RawClient client = balancer.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n", "x".repeat(200_000));

            assertThat(client.readHead()).startsWith("HTTP/1.1 504 ");
            assertThat(backend.bodyBytes()).isEqualTo(65_535);
        }
    }

    @Test
    void streamWindowOverflowResetsStream() throws Exception {
        CountDownLatch other = new CountDownLatch(1);
        Http2Script overflowing = talk -> {
            talk.begin();
            Http2Request steady = talk.nextHead();
            talk.head(steady, false, ":status", "200");
            Http2Request request = talk.nextHead();
            talk.send(FrameBytes.windowUpdate(request.stream(), Integer.MAX_VALUE));
            if (talk.awaitReset(request) != ErrorCode.FLOW_CONTROL_ERROR.ordinal()) {
                throw new AssertionError("code " + request.resetCode());
            }
            talk.await(other).data(steady, true, "steady").readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(overflowing);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient steady = balancer.client();
                RawClient client = balancer.client()) {
            String head = steady.send(GET).readHead();

            assertThat(client.send(GET).read().status()).isEqualTo(502);
            other.countDown();
            assertThat(head).startsWith("HTTP/1.1 200 ");
            assertThat(steady.readExactly(9)).isEqualTo("6\r\nsteady");
        }
    }

    @Test
    void connectionWindowOverflowClosesConnection() throws Exception {
        Http2Script overflowing = talk -> {
            talk.begin();
            talk.nextHead();
            talk.send(FrameBytes.windowUpdate(0, Integer.MAX_VALUE));
            if (talk.readToEnd() != ErrorCode.FLOW_CONTROL_ERROR.ordinal()) {
                throw new AssertionError("no such GOAWAY");
            }
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(overflowing);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().status()).isEqualTo(502);
            backend.awaitConnectionEnd();
        }
    }

    @Test
    void largeResponseIsRelayed() throws Exception {
        byte[] body = "0123456789".repeat(300_000).getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        Http2Script large = Http2Script.serving(
                (talk, request) -> talk.head(request, false, ":status", "200").upload(request, true, body));
        try (Http2TestBackend backend = Http2TestBackend.playing(large);
                TestBalancer balancer = Http2Balancers.start(backend);
                Http2Client second = Http2Client.connect(balancer.port());
                RawClient first = balancer.client()) {
            for (int i = 0; i < 4; i++) { // more than the connection window
                assertThat(first.send(GET)
                                .read()
                                .body()
                                .equals(new String(body, java.nio.charset.StandardCharsets.ISO_8859_1)))
                        .isTrue();
            }
            assertThat(second.read(second.get("/")).bytes()).isEqualTo(body);
        }
    }

    @Test
    void slowClientBlocksOnlyItsStream() throws Exception {
        CountDownLatch full = new CountDownLatch(1);
        byte[] body = new byte[6_000_000];
        Http2Script pouring = talk -> {
            talk.begin();
            Http2Request slow = talk.nextHead();
            talk.head(slow, false, ":status", "200");
            Http2Request fast = null;
            byte[] piece = new byte[1_000];
            int sent = 0;
            while (fast == null) {
                if (talk.mayUpload(slow) >= piece.length && sent < body.length) {
                    talk.upload(slow, false, piece);
                    sent += piece.length;
                } else {
                    full.countDown();
                    fast = talk.nextHead();
                }
            }
            if (sent == body.length) {
                throw new AssertionError("nothing held it back");
            }
            talk.answer(fast, "fast");
            while (sent < body.length) {
                talk.upload(slow, sent + piece.length == body.length, piece);
                sent += piece.length;
            }
            talk.readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(pouring);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient slow = RawClient.connect(balancer.port(), 16 * 1024).send(GET);
                RawClient fast = balancer.client()) {
            full.await();

            assertThat(fast.send(GET).read().body()).isEqualTo("fast");
            assertThat(slow.read().body()).hasSize(body.length);
        }
    }

    @Test
    void streamWindowViolationResetsStream() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        Http2Script ignoring = talk -> {
            talk.begin();
            Http2Request request = talk.nextHead();
            talk.head(request, false, ":status", "200");
            byte[] piece = FrameBytes.data(request.stream(), false, new byte[Frame.MAX_PAYLOAD_BYTES]);
            for (int i = 0; i < 400; i++) {
                talk.send(piece);
            }
            if (talk.awaitReset(request) != ErrorCode.FLOW_CONTROL_ERROR.ordinal()) {
                throw new AssertionError("code " + request.resetCode());
            }
            answered.countDown();
            talk.answer(talk.nextRequest(), "next").readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(ignoring);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient slow = RawClient.connect(balancer.port(), 16 * 1024).send(GET);
                RawClient other = balancer.client()) {
            answered.await();

            assertThat(other.send(GET).read().body()).isEqualTo("next");
            assertThat(balancer.count(Failure.BAD_RESPONSE)).isEqualTo(1);
            slow.readToEnd();
        }
    }
}
