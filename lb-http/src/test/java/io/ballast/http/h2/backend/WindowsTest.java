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
        Http2Script closed = connection -> {
            connection.begin(Setting.INITIAL_WINDOW_SIZE, 0);
            Http2Request first = connection.nextRequest();
            connection.answer(first, "first");
            Http2Request second = connection.nextHead();
            connection.sync().sync();
            String before = second.body();
            connection.send(FrameBytes.windowUpdate(second.stream(), 1)).sync();
            String after = second.body();
            connection.send(FrameBytes.settings(Setting.INITIAL_WINDOW_SIZE, 2)).await("the rest", second::isEnded);
            connection
                    .answer(second, before + "|" + after + "|" + second.body())
                    .readToEnd();
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
                (connection, request) -> connection.answer(request, "" + request.bodyBytes()),
                Setting.INITIAL_WINDOW_SIZE,
                window);
        try (Http2TestBackend backend = Http2TestBackend.playing(counting);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            assertThat(client.send(POST).read().body()).isEqualTo("" + UPLOAD_BYTES);
            assertThat(client.send(POST).read().body()).isEqualTo("" + UPLOAD_BYTES);
        }
    }

    @Test
    void stalledRequestTimesOut() throws Exception {
        Http2Script stopping = connection -> {
            connection.begin().keepingWindows();
            Http2Request request = connection.nextHead();
            if (connection.awaitReset(request) != ErrorCode.CANCEL.ordinal()) {
                throw new AssertionError("code " + request.resetCode());
            }
            connection.readToEnd();
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
        Http2Script overflowing = connection -> {
            connection.begin();
            Http2Request steady = connection.nextHead();
            connection.head(steady, false, ":status", "200");
            Http2Request request = connection.nextHead();
            connection.send(FrameBytes.windowUpdate(request.stream(), Integer.MAX_VALUE));
            if (connection.awaitReset(request) != ErrorCode.FLOW_CONTROL_ERROR.ordinal()) {
                throw new AssertionError("code " + request.resetCode());
            }
            connection.await(other).data(steady, true, "steady").readToEnd();
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
        Http2Script overflowing = connection -> {
            connection.begin();
            connection.nextHead();
            connection.send(FrameBytes.windowUpdate(0, Integer.MAX_VALUE));
            if (connection.readToEnd() != ErrorCode.FLOW_CONTROL_ERROR.ordinal()) {
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
        Http2Script large = Http2Script.serving((connection, request) ->
                connection.head(request, false, ":status", "200").upload(request, true, body));
        try (Http2TestBackend backend = Http2TestBackend.playing(large);
                TestBalancer balancer = Http2Balancers.start(backend);
                Http2Client second = Http2Client.connect(balancer.port());
                RawClient first = balancer.client()) {
            for (int i = 0; i < 4; i++) { // the responses together exceed the connection window
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
        Http2Script pouring = connection -> {
            connection.begin();
            Http2Request slow = connection.nextHead();
            connection.head(slow, false, ":status", "200");
            Http2Request fast = null;
            byte[] piece = new byte[1_000];
            int sent = 0;
            while (fast == null) {
                if (connection.mayUpload(slow) >= piece.length && sent < body.length) {
                    connection.upload(slow, false, piece);
                    sent += piece.length;
                } else {
                    full.countDown();
                    fast = connection.nextHead();
                }
            }
            if (sent == body.length) {
                throw new AssertionError("nothing held it back");
            }
            connection.answer(fast, "fast");
            while (sent < body.length) {
                connection.upload(slow, sent + piece.length == body.length, piece);
                sent += piece.length;
            }
            connection.readToEnd();
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
        Http2Script ignoring = connection -> {
            connection.begin();
            Http2Request request = connection.nextHead();
            connection.head(request, false, ":status", "200");
            byte[] piece = FrameBytes.data(request.stream(), false, new byte[Frame.MAX_PAYLOAD_BYTES]);
            for (int i = 0; i < 400; i++) {
                connection.send(piece);
            }
            if (connection.awaitReset(request) != ErrorCode.FLOW_CONTROL_ERROR.ordinal()) {
                throw new AssertionError("code " + request.resetCode());
            }
            answered.countDown();
            connection.answer(connection.nextRequest(), "next").readToEnd();
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
