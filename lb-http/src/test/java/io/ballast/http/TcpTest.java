package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.pool.PoolCounter;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.config.SessionConfig;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Tests TCP load balancing, which does not depend on the application protocol. */
class TcpTest {

    private static final int MANY_BYTES = 10 * 1024 * 1024;

    @EachTransport
    void relaysBothDirections(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(
                        connection -> connection.send("hello\n").echo());
                TestBalancer balancer = tcp(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.readExactly(6)).isEqualTo("hello\n"); // the server speaks first
            assertThat(client.send("abc").readExactly(3)).isEqualTo("abc");
            assertThat(client.send("d", "e", "f").readExactly(3)).isEqualTo("def");
            assertThat(balancer.backend(0).inFlight().count()).isEqualTo(1);

            client.finishSending();

            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            balancer.awaitQuiet();
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_OPENED)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.REQUESTS)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.REQUESTS_COMPLETED)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.ERRORS)).isZero();
            assertThat(balancer.count(ListenerCounter.BYTES_IN)).isEqualTo(6);
            assertThat(balancer.count(ListenerCounter.BYTES_OUT)).isEqualTo(12);
            assertThat(balancer.count(BackendCounter.REQUESTS)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.CONNECTS)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.BYTES_TO)).isEqualTo(6);
            assertThat(balancer.count(BackendCounter.BYTES_FROM)).isEqualTo(12);
            assertThat(balancer.pool().counters().sum(PoolCounter.REQUESTS)).isEqualTo(1);
        }
    }

    @EachTransport
    void halfClosedClientReceivesRest(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(TcpScripts.answersAfterTheEnd());
                TestBalancer balancer = tcp(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send("0123456789").finishSending();

            assertThat(client.readToEnd()).isEqualTo("got 10");
        }
    }

    @EachTransport
    void halfClosedBackendReceivesRest(TransportKind transport) throws Exception {
        CompletableFuture<String> got = new CompletableFuture<>();
        try (TestBackend backend = TestBackend.accepting(TcpScripts.finishesFirst(got));
                TestBalancer balancer = tcp(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.readToEnd()).isEqualTo("bye");

            client.send("still ", "here").finishSending();

            assertThat(got.get(TestTimeout.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                    .isEqualTo("still here");
        }
    }

    @EachTransport
    void relaysManyBytesUnchanged(TransportKind transport) throws Exception {
        byte[] up = random(1);
        byte[] down = random(2);
        CompletableFuture<String> got = new CompletableFuture<>();
        Script both = connection -> {
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                try {
                    connection.send(down).finishSending();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            got.complete(digest(connection.readToEnd()));
            sending.join();
        };
        try (TestBackend backend = TestBackend.accepting(both);
                TestBalancer balancer = tcp(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            CompletableFuture<Void> sending =
                    CompletableFuture.runAsync(() -> client.send(up).finishSending());

            String received = client.readToEnd();

            sending.join();
            assertThat(digest(received.getBytes(StandardCharsets.ISO_8859_1))).isEqualTo(digest(down));
            assertThat(got.get(TestTimeout.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                    .isEqualTo(digest(up));
        }
    }

    @EachTransport
    void slowReaderAppliesBackPressure(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(BackPressure.fastBackend());
                TestBalancer balancer = tcp(transport).backend(backend).start();
                RawClient client = RawClient.connect(balancer.port(), BackPressure.SMALL_BUFFER)) {
            BackPressure.verifySlowReader(balancer, client);
        }
    }

    @EachTransport
    void slowBackendAppliesBackPressure(TransportKind transport) throws Exception {
        BackPressure backPressure = new BackPressure();
        try (TestBackend backend = TestBackend.accepting(backPressure.slowBackend());
                TestBalancer balancer = tcp(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            backPressure.verifySlowBackend(balancer, client);
        }
    }

    @EachTransport
    void refusedConnectionRetriesOtherBackend(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(connection -> connection.echo());
                TestBalancer balancer = tcp(transport)
                        .backend(ClosedPort.find())
                        .backend(backend)
                        .start()) {
            for (int i = 0; i < 4; i++) {
                try (RawClient client = balancer.client()) {
                    assertThat(client.send("abc").readExactly(3)).isEqualTo("abc");
                }
            }

            assertThat(backend.connections()).isEqualTo(4);
            assertThat(balancer.count(BackendCounter.FAILED_CONNECT_REFUSED)).isPositive();
            assertThat(balancer.count(BackendCounter.RETRIES)).isPositive();
            assertThat(balancer.count(BackendCounter.REQUESTS)).isZero();
        }
    }

    @EachTransport
    void clientIsResetWithoutBackend(TransportKind transport) throws Exception {
        try (TestBalancer balancer = tcp(transport).backend(ClosedPort.find()).start()) {
            assertThat(endOfNewConnection(balancer)).isEqualTo(RawClient.Ending.RESET);

            balancer.await("it is counted", () -> balancer.count(Failure.CONNECT_REFUSED) == 1);
            assertThat(balancer.count(ListenerCounter.ERRORS)).isEqualTo(1);
        }
    }

    @EachTransport
    void backendResetIsForwarded(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(TcpScripts.resetsInTheMiddle());
                TestBalancer balancer = tcp(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.readExactly(4)).isEqualTo("half");
            client.send("go");

            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.RESET);
            balancer.await("it is counted", () -> balancer.count(Failure.RESPONSE_CUT) == 1);
            assertThat(balancer.count(BackendCounter.FAILED_RESET)).isEqualTo(1);
        }
    }

    @EachTransport
    void clientResetClosesBackendConnection(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(connection -> connection.echo());
                TestBalancer balancer = tcp(transport).backend(backend).start()) {
            RawClient client = balancer.client();
            client.send("abc").readExactly(3);

            client.reset();

            backend.awaitConnectionEnd();
            balancer.await("it is counted", () -> balancer.count(Failure.CLIENT_GONE) == 1);
            assertThat(balancer.count(BackendCounter.CLIENT_ABORTS)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.ERRORS)).isZero();
        }
    }

    @EachTransport
    void idleSessionTimesOut(TransportKind transport) throws Exception {
        SessionConfig times = new SessionConfig(Duration.ofMillis(300), TestTimeout.LIMIT);
        try (TestBackend backend = TestBackend.accepting(connection -> connection.echo());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .session(ListenerProtocol.TCP, times)
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            backend.awaitConnectionEnd();
            balancer.await("it is counted", () -> balancer.count(Failure.SESSION_IDLE) == 1);
        }
    }

    @EachTransport
    void sessionWaitsForBackendCapacity(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(connection -> connection.echo());
                TestBalancer balancer = tcp(transport)
                        .backend(backend)
                        .maxInFlight(1)
                        .queue(1, TestTimeout.LIMIT)
                        .start();
                RawClient first = balancer.client()) {
            first.send("a").readExactly(1);
            try (RawClient second = balancer.client()) {
                balancer.await("it waits", () -> balancer.pool().counters().sum(PoolCounter.QUEUED) == 1);

                assertThat(endOfNewConnection(balancer)).isEqualTo(RawClient.Ending.RESET);
                balancer.await("it is counted", () -> balancer.count(Failure.QUEUE_FULL) == 1);
                assertThat(backend.connections()).isEqualTo(1);

                first.close();

                assertThat(second.send("b").readExactly(1)).isEqualTo("b");
            }
        }
    }

    @EachTransport
    void connectionsBeyondLimitAreClosed(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(connection -> connection.echo());
                TestBalancer balancer = tcp(transport)
                        .backend(backend)
                        .limits(ClientLimits.DEFAULT.withConnections(1))
                        .start();
                RawClient first = balancer.client()) {
            first.send("a").readExactly(1);
            try (RawClient second = balancer.client()) {
                assertThat(second.endAfterAll()).isNotNull();
            }

            assertThat(balancer.count(ListenerCounter.CONNECTIONS_REFUSED)).isEqualTo(1);
            assertThat(first.send("b").readExactly(1)).isEqualTo("b");
        }
    }

    @EachTransport
    void drainKeepsSessionsAndCountsRemaining(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(connection -> connection.echo());
                TestBalancer balancer = tcp(transport).backend(backend).start();
                RawClient stays = balancer.client();
                RawClient leaves = balancer.client()) {
            stays.send("a").readExactly(1);
            leaves.send("a").readExactly(1);

            assertThat(balancer.frontend().drain(Duration.ZERO)).isEqualTo(2);

            assertThat(stays.send("b").readExactly(1)).isEqualTo("b");
            leaves.finishSending().readToEnd();
            balancer.await("one has left", () -> balancer.listener().openConnections() == 1);
            assertThat(balancer.frontend().drain(Duration.ZERO)).isEqualTo(1);
            balancer.frontend().close();
            assertThat(stays.endAfterAll()).isNotNull();
        }
    }

    private static RawClient.Ending endOfNewConnection(TestBalancer balancer) {
        try (RawClient client = balancer.client()) {
            return client.awaitEnd();
        } catch (UncheckedIOException e) {
            return RawClient.Ending.RESET; // the balancer reset the connection before connect returned
        }
    }

    private static BalancerSetup tcp(TransportKind transport) {
        return BalancerSetup.on(transport).protocol(ListenerProtocol.TCP);
    }

    private static byte[] random(long seed) {
        byte[] bytes = new byte[MANY_BYTES];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
