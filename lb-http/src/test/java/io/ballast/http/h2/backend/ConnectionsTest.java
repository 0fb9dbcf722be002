package io.ballast.http.h2.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.testing.Connections;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Request;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.ScriptedConnection;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Tests how exchanges share HTTP/2 backend connections, and how connections end. */
class ConnectionsTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody";

    private static byte[] goAway(int lastStream) {
        return FrameBytes.frame(
                Frame.GOAWAY,
                0,
                0,
                ByteBuffer.allocate(8).putInt(lastStream).putInt(0).array());
    }

    private static List<RawClient> clients(TestBalancer balancer, int count, String request) {
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(balancer.client().send(request));
        }
        return clients;
    }

    @Test
    void exchangesShareConnectionAndEndInAnyOrder() throws Exception {
        Http2Script backwards = connection -> {
            connection.begin();
            List<Http2Request> heads = connection.heads(50);
            for (int i = heads.size() - 1; i >= 0; i--) {
                connection.answer(heads.get(i), heads.get(i).header(":path"));
            }
            connection.readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(backwards);
                TestBalancer balancer = Http2Balancers.start(backend)) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                clients.add(balancer.client().send("GET /" + i + " HTTP/1.1\r\nHost: a\r\n\r\n"));
            }

            for (int i = 0; i < 50; i++) {
                assertThat(clients.get(i).read().body()).isEqualTo("/" + i);
                clients.get(i).close();
            }
            assertThat(backend.connections()).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.CONNECTS)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.REUSES)).isEqualTo(49);
            balancer.awaitQuietBackends();
        }
    }

    @Test
    void bytesAreCounted() throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.ok("12345678"));
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            client.send(POST).read();

            assertThat(balancer.count(BackendCounter.BYTES_TO)).isBetween(20L, 300L);
            assertThat(balancer.count(BackendCounter.BYTES_FROM)).isBetween(20L, 100L);
            assertThat(balancer.backend(0).inFlight().count()).isZero();
        }
    }

    @Test
    void respectsStreamLimitOfOne() throws Exception {
        Http2Script one = connection -> {
            connection.begin(Setting.MAX_CONCURRENT_STREAMS, 1);
            while (true) {
                Http2Request request = connection.nextRequest();
                connection.sync(); // another request would arrive before the PING reply
                if (connection.request(request.stream() + 2) != null) {
                    throw new AssertionError("a second stream");
                }
                connection.answer(request, "ok");
            }
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(one);
                TestBalancer balancer = Http2Balancers.start(backend)) {
            for (int round = 0; round < 2; round++) {
                for (RawClient client : clients(balancer, 8, POST)) {
                    assertThat(client.read().body()).isEqualTo("ok");
                    client.close();
                }
            }
            assertThat(backend.connections()).isBetween(1, 16);
        }
    }

    @Test
    void stream0LimitRetriesOtherBackend() throws Exception {
        Http2Script none = connection -> {
            connection.begin(Setting.MAX_CONCURRENT_STREAMS, 0);
            while (true) {
                connection.send(FrameBytes.reset(connection.nextHead().stream(), ErrorCode.REFUSED_STREAM.ordinal()));
            }
        };
        try (Http2TestBackend full = Http2TestBackend.playing(none);
                Http2TestBackend other = Http2TestBackend.playing(Http2Script.ok("other"));
                TestBalancer balancer = Http2Balancers.start(full, other)) {
            for (RawClient client : clients(balancer, 10, POST)) {
                assertThat(client.read().body()).isEqualTo("other");
                client.close();
            }
            assertThat(full.connections()).isLessThanOrEqualTo(10);
        }
    }

    @Test
    void unprocessedStreamsMoveToNewConnectionAfterGoaway() throws Exception {
        Http2Script leaving = connection -> {
            connection.begin();
            List<Http2Request> heads = connection.heads(4);
            connection.send(goAway(heads.get(1).stream()));
            connection.answer(heads.get(0), "begun").answer(heads.get(1), "begun");
            if (connection.readToEnd() > 0) {
                throw new AssertionError("an error");
            }
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(leaving, Http2Script.ok("again"));
                TestBalancer balancer = Http2Balancers.start(backend)) {
            List<RawClient> clients = clients(balancer, 4, POST);
            assertThat(clients.stream().map(client -> client.read().body()))
                    .containsExactlyInAnyOrder("begun", "begun", "again", "again");
            backend.awaitConnectionEnd();
            assertThat(Http2Balancers.request(balancer, GET).body()).isEqualTo("again");
            assertThat(backend.connections()).isEqualTo(2);
            clients.forEach(RawClient::close);
        }
    }

    /** The body is larger than the retry buffer, but fits into the initial window. */
    @Test
    void bodiesOfUnprocessedRequestsAreRetried() throws Exception {
        String body = "x".repeat(32 * 1024);
        Http2Script leaving = connection -> {
            connection.begin();
            Http2Request head = connection.nextHead();
            connection.await("the body", () -> head.bodyBytes() == body.length());
            connection.send(goAway(0));
            connection.readToEnd();
        };
        Http2Script counting = Http2Script.serving(
                (connection, request) -> connection.answer(request, Integer.toString(request.bodyBytes())));
        try (Http2TestBackend backend = Http2TestBackend.playing(leaving, leaving, counting);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n", body);

            assertThat(client.read().body()).isEqualTo(Integer.toString(body.length()));
            assertThat(backend.connections()).isEqualTo(3);
        }
    }

    /** The kernel still accepts connections for the stopped backend process. */
    @Test
    void pingDetectsFrozenBackend() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Http2Script freezing = connection -> {
            connection.begin();
            connection.answer(connection.nextRequest(), "first");
            connection.await(over);
        };
        try (Http2TestBackend frozen = Http2TestBackend.playing(freezing, connection -> connection.await(over));
                Http2TestBackend other = Http2TestBackend.playing(Http2Script.ok("other"));
                TestBalancer balancer = Http2Balancers.start(frozen, other);
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("first");
            assertThat(client.send(GET).read().body()).isEqualTo("other");

            assertThat(client.send(GET).read().body()).isEqualTo("other");
            assertThat(balancer.count(BackendCounter.FAILED_RESET)).isEqualTo(1);
        } finally {
            over.countDown();
        }
    }

    @Test
    void idleConnectionIsReplacedAfterGoaway() throws Exception {
        Http2Script once = connection -> {
            connection.begin();
            connection.answer(connection.nextRequest(), "first").send(goAway(Integer.MAX_VALUE));
            connection.readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(once, Http2Script.ok("second"));
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            assertThat(client.send(POST).read().body()).isEqualTo("first");
            backend.awaitConnectionEnd();
            assertThat(client.send(POST).read().body()).isEqualTo("second");
        }
    }

    @Test
    void refusedStreamIsRetriedForAnyMethod() throws Exception {
        Http2Script refusing = Http2Script.frames(FrameBytes.reset(0, ErrorCode.REFUSED_STREAM.ordinal()));
        try (Http2TestBackend first = Http2TestBackend.playing(refusing);
                Http2TestBackend second = Http2TestBackend.playing(Http2Script.ok("second"));
                TestBalancer balancer = Http2Balancers.start(first, second);
                RawClient client = balancer.client()) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.send(POST).read().body()).isEqualTo("second");
            }
            assertThat(first.connections()).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.RETRIES)).isPositive();
        }
    }

    @Test
    void resetStreamIsRetriedIfAllowed() throws Exception {
        Http2Script ill = Http2Script.frames(FrameBytes.reset(0, ErrorCode.INTERNAL_ERROR.ordinal()));
        try (Http2TestBackend first = Http2TestBackend.playing(ill);
                Http2TestBackend second = Http2TestBackend.playing(Http2Script.ok("second"));
                TestBalancer balancer = Http2Balancers.start(first, second);
                RawClient client = balancer.client()) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.send(GET).read().body()).isEqualTo("second");
            }
            List<Integer> posts = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                posts.add(Http2Balancers.request(balancer, POST).status());
            }

            assertThat(posts).containsExactlyInAnyOrder(200, 200, 502, 502);
            assertThat(first.connections()).as("no fresh connection for each").isEqualTo(1);
            assertThat(balancer.count(BackendCounter.FAILED_RESET))
                    .isEqualTo(balancer.count(BackendCounter.RETRIES) + 2);
        }
    }

    @Test
    void lostConnectionIsReplacedByOne() throws Exception {
        Http2Script failing = connection -> {
            connection.begin();
            connection.answer(connection.nextRequest(), "first");
            connection.heads(30);
            connection.close();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(failing, Http2Script.ok("again"));
                TestBalancer balancer = Http2Balancers.start(backend)) {
            try (RawClient client = balancer.client()) {
                assertThat(client.send(GET).read().body()).isEqualTo("first");
            }
            for (RawClient client : clients(balancer, 30, GET)) {
                assertThat(client.read().body()).isEqualTo("again");
                client.close();
            }
            assertThat(backend.connections()).isEqualTo(2);
        }
    }

    @Test
    void refusedConnectionRetriesAllWaitingExchanges() throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.ok("alive"));
                TestBalancer balancer = Http2Balancers.before()
                        .backend(ClosedPort.find())
                        .backend(backend.address())
                        .start()) {
            for (RawClient client : clients(balancer, 10, POST)) {
                assertThat(client.read().body()).isEqualTo("alive");
                client.close();
            }
            assertThat(balancer.count(BackendCounter.FAILED_CONNECT_REFUSED)).isPositive();
        }
    }

    @Test
    void responseTimeoutCancelsOnlyItsStream() throws Exception {
        Http2Script slow = connection -> {
            connection.begin();
            List<Http2Request> heads = connection.heads(2);
            boolean inOrder = "/fast".equals(heads.get(0).header(":path"));
            Http2Request fast = heads.get(inOrder ? 0 : 1);
            Http2Request silent = heads.get(inOrder ? 1 : 0);
            connection.head(fast, false, ":status", "200");
            while (silent.resetCode() < 0) {
                connection.data(fast, false, "x").sync();
            }
            if (silent.resetCode() != ErrorCode.CANCEL.ordinal()) {
                throw new AssertionError("code " + silent.resetCode());
            }
            connection.data(fast, true, "end").readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(slow);
                TestBalancer balancer = Http2Balancers.before(backend)
                        .connections(
                                new Connections().protocol(BackendProtocol.H2C).responseTimeout(Duration.ofMillis(300)))
                        .start();
                RawClient first = balancer.client().send("GET /fast HTTP/1.1\r\nHost: a\r\n\r\n");
                RawClient second = balancer.client().send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")) {
            assertThat(second.read().status()).isEqualTo(504);
            assertThat(first.read().body()).startsWith("x").endsWith("xend");
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    @Test
    void silentConnectionIsClosed() throws Exception {
        Http2Script silent = connection -> connection.begin().readToEnd();
        try (Http2TestBackend backend = Http2TestBackend.playing(silent, Http2Script.ok("new"));
                TestBalancer balancer = Http2Balancers.before(backend)
                        .connections(
                                new Connections().protocol(BackendProtocol.H2C).responseTimeout(Duration.ofMillis(300)))
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().status()).isEqualTo(504);
            backend.awaitConnectionEnd();
            assertThat(Http2Balancers.request(balancer, GET).body()).isEqualTo("new");
            assertThat(balancer.count(Failure.RESPONSE_TIMEOUT)).isEqualTo(1);
        }
    }

    @Test
    void silentBackendTimesOut() throws Exception {
        try (TestBackend mute = TestBackend.accepting(ScriptedConnection::awaitClose);
                TestBalancer balancer = Http2Balancers.before()
                        .backend(mute)
                        .connections(
                                new Connections().protocol(BackendProtocol.H2C).responseTimeout(Duration.ofMillis(300)))
                        .start()) {
            for (RawClient client : clients(balancer, 3, POST)) {
                assertThat(client.read().status()).isEqualTo(504);
                client.close();
            }
            mute.awaitConnectionEnd();
            assertThat(mute.connections()).isEqualTo(1);
        }
    }

    @Test
    void stalledBodyIsCut() throws Exception {
        Http2Script stopping = Http2Script.serving((connection, request) -> {
            connection.head(request, false, ":status", "200").data(request, false, "begin");
            if (connection.awaitReset(request) != ErrorCode.CANCEL.ordinal()) {
                throw new AssertionError("code " + request.resetCode());
            }
        });
        try (Http2TestBackend backend = Http2TestBackend.playing(stopping);
                TestBalancer balancer = Http2Balancers.before(backend)
                        .connections(
                                new Connections().protocol(BackendProtocol.H2C).bodyIdleTimeout(Duration.ofMillis(300)))
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).readToEnd()).endsWith("begin\r\n");
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isEqualTo(1);
        }
    }

    @Test
    void clientDisconnectCancelsOnlyItsStream() throws Exception {
        CountDownLatch there = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        Http2Script waiting = connection -> {
            connection.begin();
            Http2Request request = connection.nextHead();
            there.countDown();
            if (connection.awaitReset(request) != ErrorCode.CANCEL.ordinal()) {
                throw new AssertionError("code " + request.resetCode());
            }
            connection.head(request, false, ":status", "200").data(request, true, "too late");
            cancelled.countDown();
            connection.answer(connection.nextRequest(), "next").readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(waiting);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient other = balancer.client()) {
            RawClient client = balancer.client().send(GET);
            there.await();
            client.reset();
            cancelled.await();

            assertThat(other.send(GET).read().body()).isEqualTo("next");
            assertThat(balancer.count(Failure.CLIENT_GONE)).isEqualTo(1);
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    @Test
    void idleConnectionTimesOut() throws Exception {
        for (Connections times : List.of(
                new Connections().idleTimeout(Duration.ofMillis(200)),
                new Connections().maxAge(Duration.ofMillis(200)))) {
            try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.ok("ok"));
                    TestBalancer balancer = Http2Balancers.before(backend)
                            .connections(times.protocol(BackendProtocol.H2C))
                            .start();
                    RawClient client = balancer.client()) {
                assertThat(client.send(GET).read().body()).isEqualTo("ok");
                backend.awaitConnectionEnd();
                assertThat(client.send(POST).read().body()).isEqualTo("ok");
                assertThat(backend.connections()).isEqualTo(2);
            }
        }
    }

    @Test
    void expiredConnectionCompletesRunningStreams() throws Exception {
        CountDownLatch finish = new CountDownLatch(1);
        Http2Script old = connection -> {
            connection.begin();
            Http2Request request = connection.nextRequest();
            connection.head(request, false, ":status", "200").await(finish);
            connection.data(request, true, "old").readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(old, Http2Script.ok("new"));
                TestBalancer balancer = Http2Balancers.before(backend)
                        .connections(
                                new Connections().protocol(BackendProtocol.H2C).maxAge(Duration.ofMillis(1)))
                        .start();
                RawClient first = balancer.client();
                RawClient second = balancer.client()) {
            String head = first.send(GET).readHead();
            balancer.goRound();
            balancer.goRound();
            assertThat(second.send(GET).read().body()).isEqualTo("new");
            finish.countDown();

            assertThat(head).startsWith("HTTP/1.1 200 ");
            assertThat(first.readExactly(8)).isEqualTo("3\r\nold\r\n");
            backend.awaitConnectionEnd();
        }
    }

    @Test
    void closeClosesIdleConnections() throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.ok("ok"));
                TestBalancer balancer = Http2Balancers.start(backend)) {
            try (RawClient client = balancer.client()) {
                client.send(GET).read();
            }
            balancer.frontend().close();
            backend.awaitConnectionEnd();
        }
    }
}
