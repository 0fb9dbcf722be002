package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
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
import io.ballast.net.testing.Limits;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Tests how connections and streams start and end. */
class Http2LifecycleTest {

    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(3);

    @Test
    void streamsBeyondMaximumAreRefused() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(answer, "ok"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int first = client.get("/");
            for (int i = 1; i < Http2Connection.MAX_STREAMS; i++) {
                client.get("/");
            }
            int refused = client.get("/");
            assertThat(client.read(refused).resetCode()).isEqualTo(ErrorCode.REFUSED_STREAM.ordinal());
            assertThat(client.response(first).isEnded()).isFalse();

            answer.countDown();
            for (int stream = first; stream < refused; stream += 2) {
                assertThat(client.read(stream).body()).isEqualTo("ok");
            }
            assertThat(client.read(client.get("/")).body()).isEqualTo("ok");
        }
    }

    @EachTransport
    void drainCompletesRunningStreams(TransportKind transport) throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(answer, "ok"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port());
                Http2Client idle = Http2Client.connect(balancer.port())) {
            idle.sync();
            int running = client.get("/");
            backend.nextRequest();

            CompletableFuture<Integer> drained =
                    CompletableFuture.supplyAsync(() -> balancer.frontend().drain(TestTimeout.LIMIT));
            assertThat(idle.readToEnd()).isEqualTo(ErrorCode.NO_ERROR);
            client.await("a GOAWAY", () -> client.goAways() == 1);
            assertThat(client.goAwayStream()).isEqualTo(running);
            assertThat(client.read(client.get("/")).resetCode()).isEqualTo(ErrorCode.REFUSED_STREAM.ordinal());
            answer.countDown();

            assertThat(client.read(running).body()).isEqualTo("ok");
            assertThat(client.readToEnd()).isEqualTo(ErrorCode.NO_ERROR);
            assertThat(drained.join()).isZero();
        }
    }

    @Test
    void connectionClosesAfterRequestLimit() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .limits(new Limits().requestsPerConnection(3))
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int first = client.get("/");
            int second = client.get("/");
            int third = client.get("/");

            assertThat(client.readToEnd()).isEqualTo(ErrorCode.NO_ERROR);
            assertThat(client.goAwayStream()).isEqualTo(third);
            assertThat(client.response(first).body()).isEqualTo("ok");
            assertThat(client.response(second).body()).isEqualTo("ok");
            assertThat(client.response(third).body()).isEqualTo("ok");
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_USED_UP)).isEqualTo(1);
        }
    }

    @Test
    void clientGoawayCompletesRunningStreams() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(answer, "ok"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.get("/");
            client.send(FrameBytes.goAway());
            answer.countDown();

            assertThat(client.read(stream).body()).isEqualTo("ok");
            client.readAll();
        }
    }

    @Test
    void connectionClosesAtMaximumAge() throws Exception {
        Duration longerThanRest = Duration.ofMillis(1100);
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = deadlines(backend, new ClientDeadlines(LONG, LONG, LONG, longerThanRest));
                Http2Client client = Http2Client.connect(balancer.port())) {
            long begin = System.nanoTime();
            assertThat(client.read(client.get("/")).body()).isEqualTo("ok");

            assertThat(client.readToEnd()).isEqualTo(ErrorCode.NO_ERROR);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(longerThanRest);
        }
    }

    @Test
    void settingsDoNotExtendIdleTimeout() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = deadlines(backend, new ClientDeadlines(LONG, LONG, LONG, SHORT));
                Http2Client client = Http2Client.connect(balancer.port())) {
            assertThat(client.read(client.get("/")).body()).isEqualTo("ok");

            client.await("a GOAWAY", () -> {
                client.trySend(FrameBytes.settings());
                client.trySync();
                LockSupport.parkNanos(1_000_000); // slow enough to be no flood
                return client.goAways() == 1;
            });
            assertThat(client.readToEnd()).isEqualTo(ErrorCode.NO_ERROR);
        }
    }

    @Test
    void idleConnectionTimesOut() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = deadlines(backend, new ClientDeadlines(LONG, LONG, LONG, SHORT));
                Http2Client client = Http2Client.connect(balancer.port())) {
            assertThat(client.read(client.get("/")).body()).isEqualTo("ok");

            assertThat(client.readToEnd()).isEqualTo(ErrorCode.NO_ERROR);
        }
    }

    @Test
    void connectionWithoutPrefaceTimesOut() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = deadlines(backend, new ClientDeadlines(SHORT, LONG, LONG, LONG));
                Http2Client client = Http2Client.silent(balancer.port())) {
            client.send(Bodies.bytes("PRI * HTTP/2.0\r\n"));

            client.readToEnd();
            balancer.await("its end", () -> balancer.listener().openConnections() == 0);
        }
    }

    @Test
    void incompleteHeadTimesOut() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = deadlines(backend, new ClientDeadlines(SHORT, LONG, LONG, LONG));
                Http2Client client = Http2Client.connect(balancer.port())) {
            client.sync(); // otherwise the SETTINGS ACK would interrupt the header block
            client.send(FrameBytes.frame(Frame.HEADERS, 0, client.newStream(), Http2Client.head("GET", "/")));

            assertThat(client.readToEnd()).isEqualTo(ErrorCode.ENHANCE_YOUR_CALM);
        }
    }

    @Test
    void incompleteHeadTimesOutBesideOtherStreams() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(answer, "ok"), Script.silence());
                TestBalancer balancer =
                        deadlines(backend, new ClientDeadlines(Duration.ofSeconds(1), LONG, LONG, LONG));
                Http2Client client = Http2Client.connect(balancer.port())) {
            int served = client.keepingWindows().sync().get("/");
            backend.nextRequest();
            client.get("/silence");
            backend.nextRequest();
            client.send(FrameBytes.frame(Frame.HEADERS, 0, client.newStream(), Http2Client.head("GET", "/")));
            answer.countDown();
            assertThat(client.read(served).body()).isEqualTo("ok"); // this response does not extend the head deadline

            assertThat(client.readToEnd()).isEqualTo(ErrorCode.ENHANCE_YOUR_CALM);
        }
    }

    @Test
    void stalledBodyCauses408() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = deadlines(backend, new ClientDeadlines(LONG, SHORT, LONG, LONG));
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/", "content-length", "10");
            client.send(FrameBytes.data(stream, /* ends= */ false, new byte[5]));

            assertThat(client.read(stream).status()).isEqualTo(408);
            assertThat(balancer.count(Failure.REQUEST_BODY_TIMEOUT)).isEqualTo(1);
            backend.awaitConnectionEnd();
        }
    }

    @EachTransport
    void streamResetCountsAsClientGone(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence(), Script.ok("ok"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.get("/");
            backend.nextRequest();
            client.send(FrameBytes.reset(stream, ErrorCode.CANCEL.ordinal()));

            backend.awaitConnectionEnd();
            client.sync();
            assertThat(balancer.count(Failure.CLIENT_GONE)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.REQUESTS_COMPLETED)).isEqualTo(1);
            assertThat(client.read(client.get("/")).body()).isEqualTo("ok");
        }
    }

    @EachTransport
    void lostConnectionEndsAllStreams(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            for (int i = 0; i < 50; i++) {
                client.get("/");
            }
            for (int i = 0; i < 50; i++) {
                client.send(FrameBytes.data(client.post("/"), /* ends= */ false, new byte[1000]));
            }
            client.sync();
            client.reset();

            balancer.awaitQuiet();
            assertThat(balancer.count(Failure.CLIENT_GONE)).isEqualTo(100);
            assertThat(balancer.count(ListenerCounter.REQUESTS_COMPLETED)).isEqualTo(100);
        }
    }

    @EachTransport
    void sequentialRequestsAreNotMixed(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Bodies.back());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            for (int i = 0; i < 1000; i++) {
                byte[] body = Bodies.random(i % 50 * 37, i);
                int stream = client.post("/", "content-length", String.valueOf(body.length));
                client.send(FrameBytes.data(stream, /* ends= */ true, body));
                client.spend(stream, body.length);
                assertThat(client.read(stream).bytes()).isEqualTo(body);
            }
        }
    }

    @EachTransport
    void concurrentRequestsAreNotMixed(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Bodies.back());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port(), Setting.INITIAL_WINDOW_SIZE, 1000)) {
            for (int round = 0; round < 20; round++) {
                Map<Integer, byte[]> bodies = new HashMap<>();
                for (int i = 0; i < 50; i++) {
                    byte[] body = Bodies.random(i * 97 + round, i);
                    int stream = client.post("/", "content-length", String.valueOf(body.length));
                    bodies.put(stream, body);
                }
                bodies.forEach((stream, body) -> {
                    client.upload(stream, /* ends= */ false, body);
                    client.send(FrameBytes.data(stream, /* ends= */ true));
                });
                bodies.forEach((stream, body) ->
                        assertThat(client.read(stream).bytes()).isEqualTo(body));
            }
        }
    }

    @Test
    void smallerHeaderTableIsAcknowledged() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port(), Setting.HEADER_TABLE_SIZE, 0)) {
            int first = client.get("/");
            int second = client.get("/");
            assertThat(client.read(first).body()).isEqualTo("ok");
            assertThat(client.read(second).body()).isEqualTo("ok");
            assertThat(client.sizeUpdates()).isEqualTo(1);
        }
    }

    @Test
    void prefaceMayArriveByteByByte() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.silent(balancer.port())) {
            for (byte b : Bodies.bytes(FrameBytes.PREFACE)) {
                client.send(new byte[] {b});
                balancer.goRound();
            }
            client.send(FrameBytes.settings());

            assertThat(client.read(client.get("/")).body()).isEqualTo("ok");
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_OPENED)).isEqualTo(1);
        }
    }

    @Test
    void unreadFirstBytesAreReleased() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.silent(balancer.port())) {
            client.send(Bodies.bytes("PRI"));
            balancer.await("them", () -> balancer.listener().openConnections() == 1);
            balancer.goRound();
            client.close();

            balancer.awaitQuiet();
            assertThat(balancer.count(ListenerCounter.HTTP2_CONNECTIONS)).isZero();
        }
    }

    private static TestBalancer deadlines(TestBackend backend, ClientDeadlines deadlines) throws Exception {
        return BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .deadlines(deadlines)
                .start();
    }

    private static TestBalancer balancer(TestBackend backend) throws Exception {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).loops(1).start();
    }
}
