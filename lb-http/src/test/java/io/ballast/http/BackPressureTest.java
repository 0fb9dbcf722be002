package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.testing.Connections;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Tests that a slow receiver slows down the sender instead of filling memory. */
class BackPressureTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final int PIECE = 1024 * 1024;
    private static final int PIECES = 64;
    private static final int SMALL_BUFFER = 16 * 1024;
    private static final long MAX_MEMORY = 8L * 1024 * 1024;

    @EachTransport
    void longResponseWaitsForSlowReader(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(pieces());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = RawClient.connect(balancer.port(), SMALL_BUFFER)) {
            client.send(GET).readHead();
            awaitStandstill(balancer, BackendCounter.BYTES_FROM);

            assertThat(balancer.count(BackendCounter.BYTES_FROM)).isLessThan((long) PIECE * PIECES / 2);
            assertThat(balancer.buffersInUse()).isLessThan(MAX_MEMORY);
            assertThat(balancer.workers().pooledBytes()).isLessThan(2 * MAX_MEMORY);

            for (int i = 0; i < PIECES; i++) {
                assertThat(client.readExactly(PIECE)).hasSize(PIECE);
            }
            assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                            .readHead())
                    .contains("close");
        }
    }

    @EachTransport
    void longRequestWaitsForSlowBackend(TransportKind transport) throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        Script slow = connection -> {
            String head = connection.readHead();
            connection.await(read);
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n"
                    + String.format("%08d", connection.readBody(head).length()));
        };
        try (TestBackend backend = TestBackend.playing(slow);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: " + PIECE * PIECES + "\r\n\r\n");
            CompletableFuture<Void> upload = CompletableFuture.runAsync(() -> {
                byte[] piece = new byte[PIECE];
                for (int i = 0; i < PIECES; i++) {
                    client.send(piece);
                }
            });
            awaitStandstill(balancer, ListenerCounter.BYTES_IN);

            assertThat(upload).isNotDone();
            assertThat(balancer.buffersInUse()).isLessThan(MAX_MEMORY);

            read.countDown();
            assertThat(client.read().body()).isEqualTo(Integer.toString(PIECE * PIECES));
            upload.join();
        }
    }

    @EachTransport
    void pipelinedRequestsWaitForSlowReader(TransportKind transport) throws Exception {
        String body = "0123456789".repeat(2_000);
        int requests = 2_000;
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .respond("/fixed", 200, body)
                        .start();
                RawClient client = RawClient.connect(balancer.port(), SMALL_BUFFER)) {
            String request = "GET /fixed HTTP/1.1\r\nHost: a\r\nX: " + "y".repeat(4_000) + "\r\n\r\n";
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < requests; i++) {
                    client.send(request);
                }
            });
            // A few responses fill the balancer's buffer. The kernel buffers up to hundreds more, depending on the
            // load.
            balancer.awaitStandstill(() -> balancer.count(ListenerCounter.BYTES_IN), /* min= */ request.length());

            // Requests that the balancer has not read may be in socket buffers.
            assertThat(balancer.count(ListenerCounter.BYTES_IN)).isLessThan((long) request.length() * requests / 2);
            assertThat(balancer.buffersInUse()).isLessThan(MAX_MEMORY);

            for (int i = 0; i < requests; i++) {
                assertThat(client.read().body()).hasSize(body.length());
            }
            sending.join();
        }
    }

    @EachTransport
    void stalledReaderIsClosedWithoutBackendError(TransportKind transport) throws Exception {
        Duration longTime = TestTimeout.LIMIT.multipliedBy(3);
        Duration shortTime = Duration.ofMillis(300);
        try (TestBackend backend = TestBackend.playing(pieces());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .deadlines(new ClientDeadlines(longTime, longTime, shortTime.multipliedBy(3), longTime))
                        .connections(new Connections().deadlines(longTime).bodyIdleTimeout(shortTime))
                        .start();
                RawClient client = RawClient.connect(balancer.port(), SMALL_BUFFER)) {
            client.send(GET);

            backend.awaitConnectionEnd();

            balancer.await("it is counted", () -> balancer.count(Failure.SLOW_READER) == 1);
            assertThat(balancer.count(BackendCounter.CLIENT_ABORTS)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.FAILED_RESET)).isZero();
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isZero();
        }
    }

    private static Script pieces() {
        return connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + PIECE * PIECES + "\r\n\r\n");
            byte[] piece = new byte[PIECE];
            for (int i = 0; i < PIECES; i++) {
                connection.send(piece);
            }
        };
    }

    private static void awaitStandstill(TestBalancer balancer, BackendCounter counter) {
        balancer.awaitStandstill(() -> balancer.count(counter));
    }

    private static void awaitStandstill(TestBalancer balancer, ListenerCounter counter) {
        balancer.awaitStandstill(() -> balancer.count(counter));
    }
}
