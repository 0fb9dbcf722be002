package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.MinimumRate;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tests slow clients that send or read just often enough to avoid idle timeouts (slowloris). Each slow client makes one
 * byte of progress per request of another client on the same event loop. That other client must always be served.
 */
class SlowClientTest {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(3);
    private static final int MEGABYTE = 1024 * 1024;
    private static final String GET = "GET /fixed HTTP/1.1\r\nHost: a\r\n\r\n";

    @EachTransport
    void headSentByteByByteTimesOut(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer = balancer(transport, backend, new ClientDeadlines(SHORT, LONG, LONG, LONG));
                RawClient slow = balancer.client()) {
            slow.send("GET / HTTP/1.1\r\nHost: a\r\nX: ");

            RawResponse answer = answerWhileSending(balancer, slow);

            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(balancer.count(Failure.REQUEST_HEAD_TIMEOUT)).isEqualTo(1);
            assertThat(backend.connections()).isZero();
        }
    }

    @EachTransport
    void bodySentByteByByteTimesOut(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = balancer(transport, backend, atLeast(MEGABYTE, /* response= */ 0));
                RawClient slow = balancer.client()) {
            slow.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");

            RawResponse answer = answerWhileSending(balancer, slow);

            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.header("Connection")).isEqualTo("close");
            backend.awaitConnectionEnd();
            assertThat(balancer.count(Failure.REQUEST_BODY_SLOW)).isEqualTo(1);
            assertThat(balancer.count(Failure.REQUEST_BODY_TIMEOUT)).isZero();
            assertThat(balancer.count(BackendCounter.CLIENT_ABORTS)).isEqualTo(1);
        }
    }

    @EachTransport
    void bodyMayWaitForContinue(TransportKind transport) throws Exception {
        Script late = connection -> {
            String head = connection.readHead();
            connection.send("HTTP/1.1 100 Continue\r\n\r\n");
            connection.readBody(head);
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        };
        try (TestBackend backend = TestBackend.playing(late);
                TestBalancer balancer = balancer(transport, backend, atLeast(MEGABYTE, /* response= */ 0));
                RawClient client = balancer.client();
                RawClient slow = balancer.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
            assertThat(client.readHead()).startsWith("HTTP/1.1 100 ");
            slow.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
            while (balancer.count(Failure.REQUEST_BODY_SLOW) == 0) {
                sendOne(slow);
                balancer.goRound();
            }

            assertThat(client.send("body").read().status()).isEqualTo(200);
        }
    }

    @EachTransport
    void responseReadByteByByteTimesOut(TransportKind transport) throws Exception {
        Script endless = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\n\r\n");
            while (connection.isOpen()) {
                connection.send("0123456789".repeat(1_000));
            }
        };
        try (TestBackend backend = TestBackend.playing(endless);
                TestBalancer balancer = balancer(transport, backend, atLeast(/* requestBody= */ 0, MEGABYTE));
                RawClient slow = RawClient.connect(balancer.port(), /* receiveBuffer= */ 4096);
                RawClient other = balancer.client()) {
            slow.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readHead();

            while (balancer.count(Failure.SLOW_READER) == 0) {
                slow.readExactly(1);
                assertThat(other.send(GET).read().status()).isEqualTo(200);
            }

            backend.awaitConnectionEnd();
            slow.endAfterAll();
            assertThat(balancer.count(Failure.SLOW_READER)).isEqualTo(1);
            assertThat(balancer.count(Failure.CLIENT_GONE)).isZero();
            assertThat(balancer.count(BackendCounter.CLIENT_ABORTS)).isEqualTo(1);
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isZero();
        }
    }

    /** Sends single bytes until the response arrives. Before each byte, another client is served. */
    private static RawResponse answerWhileSending(TestBalancer balancer, RawClient slow) {
        AtomicBoolean answered = new AtomicBoolean();
        CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
            try (RawClient other = balancer.client()) {
                while (!answered.get()) {
                    assertThat(other.send(GET).read().status()).isEqualTo(200);
                    sendOne(slow);
                }
            }
        });
        RawResponse answer = slow.read();
        answered.set(true);
        sending.join();
        return answer;
    }

    private static void sendOne(RawClient slow) {
        try {
            slow.send("y");
        } catch (UncheckedIOException e) {
            // the balancer has stopped reading; its response may be unread
        }
    }

    /** Returns very long idle timeouts with a minimum rate that single bytes cannot reach. */
    private static ClientDeadlines atLeast(int requestBody, int response) {
        return new ClientDeadlines(
                LONG,
                LONG,
                LONG,
                LONG,
                Duration.ZERO,
                new MinimumRate(requestBody, response, SHORT),
                ClientDeadlines.DEFAULT_TUNNEL_IDLE);
    }

    private static TestBalancer balancer(TransportKind transport, TestBackend backend, ClientDeadlines deadlines)
            throws BindException {
        return BalancerSetup.on(transport)
                .backend(backend)
                .respond("/fixed", 200, "ok")
                .loops(1)
                .deadlines(deadlines)
                .start();
    }
}
