package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

class DrainTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    @EachTransport
    void drainClosesIdleConnectionsAndStopsAccepting(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient silent = balancer.client();
                RawClient used = balancer.client()) {
            used.send(GET).read();
            balancer.await("both are there", () -> balancer.listener().openConnections() == 2);

            assertThat(balancer.frontend().drain(TestTimeout.LIMIT)).isZero();

            assertThat(silent.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            assertThat(used.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            balancer.goRound(); // with NIO, the port is released by the next select
            assertThatThrownBy(balancer::client).isInstanceOf(UncheckedIOException.class);
        }
    }

    @EachTransport
    void runningExchangeCompletesWithConnectionClose(TransportKind transport) throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(answer, "ok"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(GET);
            backend.nextRequest();

            CompletableFuture<Integer> drained = drain(balancer);
            balancer.await("it is draining", () -> balancer.listener().isDraining());
            answer.countDown();

            assertThat(client.read().header("Connection")).isEqualTo("close");
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            assertThat(drained.join()).isZero();
        }
    }

    @EachTransport
    void connectionClosesAfterStartedResponse(TransportKind transport) throws Exception {
        CountDownLatch rest = new CountDownLatch(1);
        Script slow = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab");
            connection.await(rest).send("cd");
        };
        try (TestBackend backend = TestBackend.playing(slow);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(GET).readHead();

            CompletableFuture<Integer> drained = drain(balancer);
            balancer.await("it is draining", () -> balancer.listener().isDraining());
            balancer.goRound();
            rest.countDown();

            assertThat(client.readExactly(4)).isEqualTo("abcd");
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            assertThat(drained.join()).isZero();
        }
    }

    @EachTransport
    void busyConnectionsAtEndAreCounted(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(GET);
            backend.nextRequest();

            assertThat(balancer.frontend().drain(Duration.ofMillis(50))).isEqualTo(1);
        }
    }

    @EachTransport
    void unreadResponseIsNotCutByDrain(TransportKind transport) throws Exception {
        String body = "0123456789".repeat(800_000);
        try (TestBackend backend = TestBackend.playing(Script.ok(body));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .respond("/fixed", 200, body)
                        .start();
                RawClient client = RawClient.connect(balancer.port(), /* receiveBuffer= */ 16 * 1024)) {
            client.send("GET /fixed HTTP/1.1\r\nHost: a\r\n\r\n").readHead();

            CompletableFuture<Integer> drained = drain(balancer);
            balancer.await("it is draining", () -> balancer.listener().isDraining());
            balancer.goRound();

            assertThat(client.readExactly(body.length()).equals(body)).isTrue();
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            assertThat(drained.join()).isZero();
        }
    }

    @EachTransport
    void backendConnectionsCloseWithFrontend(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(GET).read();

            balancer.frontend().close();

            backend.awaitConnectionEnd();
        }
    }

    private static CompletableFuture<Integer> drain(TestBalancer balancer) {
        return CompletableFuture.supplyAsync(() -> balancer.frontend().drain(TestTimeout.LIMIT));
    }
}
