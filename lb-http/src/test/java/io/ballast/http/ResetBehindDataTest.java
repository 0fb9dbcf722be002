package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.BlockedLoops;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.net.BindException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Tests that a reset is detected at once, not by a deadline, if the event loop finds it together with data. */
class ResetBehindDataTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final int BODY = 64 * 1024 * 1024;
    private static final String PUT = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: " + BODY + "\r\n\r\n";

    /** A timeout longer than any test waits. */
    private static final Duration NEVER = TestTimeout.LIMIT.multipliedBy(10);

    @EachTransport
    void clientResetDuringHead(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer = balancer(transport, backend);
                RawClient client = balancer.client()) {
            balancer.await("accepted", () -> balancer.listener().openConnections() == 1);
            try (BlockedLoops held = BlockedLoops.of(balancer)) {
                client.send("GET / HT").reset();
            }

            balancer.awaitQuiet();
        }
    }

    @EachTransport
    void clientResetDuringBody(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = balancer(transport, backend);
                RawClient client = balancer.client()) {
            client.send(PUT);
            balancer.await("it is with the backend", () -> backend.bytes() == PUT.length());
            try (BlockedLoops held = BlockedLoops.of(balancer)) {
                client.send("abc").reset();
            }

            backend.awaitConnectionEnd();
            balancer.awaitQuiet();
            assertThat(balancer.count(Failure.CLIENT_GONE)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.CLIENT_ABORTS)).isEqualTo(1);
        }
    }

    @EachTransport
    void clientResetWhileReadingIsPaused(TransportKind transport) throws Exception {
        assumeTrue(transport != TransportKind.NIO, "NIO looks at a connection only to read from it");
        CountDownLatch over = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.accepting(connection -> connection.await(over));
                TestBalancer balancer = balancer(transport, backend);
                RawClient client = balancer.client()) {
            client.send(PUT);
            CompletableFuture<Void> upload = CompletableFuture.runAsync(() -> client.send(new byte[BODY]));
            balancer.awaitStandstill(() -> balancer.count(ListenerCounter.BYTES_IN));
            client.reset();

            balancer.awaitQuiet();
            assertThat(upload).failsWithin(TestTimeout.LIMIT);
            assertThat(balancer.count(Failure.CLIENT_GONE)).isEqualTo(1);
        } finally {
            over.countDown();
        }
    }

    @EachTransport
    void backendResetDuringResponse(TransportKind transport) throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        CountDownLatch disconnected = new CountDownLatch(1);
        Script cut = connection -> {
            connection.readRequest();
            connection
                    .await(answer)
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
                    .reset();
            disconnected.countDown();
        };
        try (TestBackend backend = TestBackend.playing(cut);
                TestBalancer balancer = balancer(transport, backend);
                RawClient client = balancer.client()) {
            client.send(GET);
            backend.nextRequest();
            try (BlockedLoops held = BlockedLoops.of(balancer)) {
                answer.countDown();
                disconnected.await();
            }

            assertThat(client.readHead()).contains("200 OK");
            assertThat(client.readToEnd()).isEqualTo("abc");
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isEqualTo(1);
        }
    }

    private static TestBalancer balancer(TransportKind transport, TestBackend backend) throws BindException {
        return BalancerSetup.on(transport)
                .backend(backend)
                .deadlines(new ClientDeadlines(NEVER, NEVER, NEVER, NEVER))
                .start();
    }
}
