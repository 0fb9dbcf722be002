package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.testing.Connections;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.MinimumRate;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.http.testing.Upgrades;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tests how tunnels end, and that they release all resources. */
class TunnelEndTest {

    private static final Duration SHORT = Duration.ofMillis(150);
    /** A time that is long enough for the protocol switch on a busy machine. */
    private static final Duration SECONDS = Duration.ofSeconds(2);

    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(3);

    @EachTransport
    void halfClosedClientReceivesRest(TransportKind transport) throws Exception {
        Script answering = Upgrades.switching(connection -> {
            String all = new String(connection.readToEnd(), StandardCharsets.US_ASCII);
            connection.send("got " + all);
        });
        try (TestBackend backend = TestBackend.playing(answering);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST).readHead();

            assertThat(client.send("question").finishSending().readToEnd()).isEqualTo("got question");
            assertOver(balancer);
            assertThat(balancer.count(Failure.CLIENT_GONE)).isZero();
        }
    }

    @EachTransport
    void halfClosedBackendReceivesRest(TransportKind transport) throws Exception {
        CompletableFuture<String> got = new CompletableFuture<>();
        Script first = Upgrades.switching(connection -> {
            connection.send("bye").finishSending();
            got.complete(new String(connection.readToEnd(), StandardCharsets.US_ASCII));
        });
        try (TestBackend backend = TestBackend.playing(first);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST).readHead();

            assertThat(client.readToEnd()).isEqualTo("bye");
            client.send("and ", "more").finishSending();

            assertThat(got).succeedsWithin(TestTimeout.LIMIT).isEqualTo("and more");
            assertOver(balancer);
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isZero();
        }
    }

    @EachTransport
    void backendMayCloseImmediatelyAfterSwitch(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answerAndClose(Upgrades.SWITCH + "bye"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {

            assertThat(client.send(Upgrades.REQUEST).readHead()).isEqualTo(Upgrades.SWITCH);
            assertThat(client.readToEnd()).isEqualTo("bye");
            client.finishSending();
            assertOver(balancer);
        }
    }

    @EachTransport
    void clientResetIsForwarded(TransportKind transport) throws Exception {
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        try (TestBackend backend = TestBackend.playing(
                        Upgrades.switching(connection -> reset.complete(connection.endsInReset())));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST).readHead();

            client.reset();

            assertThat(reset).succeedsWithin(TestTimeout.LIMIT).isEqualTo(true);
            assertOver(balancer);
            assertThat(balancer.count(Failure.CLIENT_GONE)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.CLIENT_ABORTS)).isEqualTo(1);
        }
    }

    @EachTransport
    void backendResetIsForwarded(TransportKind transport) throws Exception {
        CountDownLatch now = new CountDownLatch(1);
        Script breaking = Upgrades.switching(connection -> connection.await(now).reset());
        try (TestBackend backend = TestBackend.playing(breaking);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST).readHead();

            now.countDown();

            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.RESET);
            assertOver(balancer);
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.FAILED_RESET)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.RETRIES)).isZero();
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    @EachTransport
    void idleTunnelIsReset(TransportKind transport) throws Exception {
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        try (TestBackend backend = TestBackend.playing(
                        Upgrades.switching(connection -> reset.complete(connection.endsInReset())));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .deadlines(deadlines(LONG, SHORT))
                        .start();
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST).readHead();

            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.RESET);
            assertThat(reset).succeedsWithin(TestTimeout.LIMIT).isEqualTo(true);
            assertOver(balancer);
            assertThat(balancer.count(Failure.TUNNEL_IDLE)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.ERRORS)).isZero();
        }
    }

    /** The exchange, response and body deadlines are so short that each of them would have ended the tunnel. */
    @EachTransport
    void onlyIdleTimeoutEndsTunnel(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Upgrades.echo());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .deadlines(deadlines(SECONDS, LONG))
                        .connections(new Connections()
                                .deadlines(LONG)
                                .responseTimeout(SECONDS)
                                .bodyIdleTimeout(SHORT))
                        .start();
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST).readHead();

            long end = System.nanoTime() + SECONDS.plusMillis(500).toNanos();
            balancer.await("much longer than any of them", () -> System.nanoTime() > end);

            assertThat(client.send("still there").readExactly(11)).isEqualTo("still there");
        }
    }

    @EachTransport
    void drainClosesTunnelAfterGracePeriod(TransportKind transport) throws Exception {
        CountDownLatch disconnected = new CountDownLatch(1);
        Script staying = connection -> {
            connection.readRequest();
            connection.send(Upgrades.SWITCH).awaitClose();
            disconnected.countDown();
        };
        try (TestBackend backend = TestBackend.playing(staying);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST).readHead();

            assertThat(balancer.frontend().drain(Duration.ofMillis(50))).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.TUNNELS_CLOSED)).isZero();
            balancer.frontend().close();

            client.endAfterAll();
            assertThat(disconnected.await(TestTimeout.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertOver(balancer);
        }
    }

    @EachTransport
    void tunnelEndingDuringDrainIsNotCounted(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Upgrades.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST).readHead();

            CompletableFuture<Integer> drained =
                    CompletableFuture.supplyAsync(() -> balancer.frontend().drain(TestTimeout.LIMIT));
            balancer.await("it is draining", () -> balancer.listener().isDraining());
            balancer.goRound();

            assertThat(client.send("last").finishSending().readToEnd()).isEqualTo("last");
            assertThat(drained.join()).isZero();
        }
    }

    @EachTransport
    void tunnelIsInFlightWithoutResponseTime(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Upgrades.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).loops(1).start();
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST).readHead();
            client.send("x").readExactly(1);

            assertThat(balancer.backend(0).stats().latency().count()).isEqualTo(1);
            assertThat(balancer.backend(0).inFlight().count()).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.REQUESTS_COMPLETED)).isZero();
            assertThat(balancer.count(ListenerCounter.RESPONSES_1XX)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.RESPONSES_1XX)).isEqualTo(1);

            assertThat(client.finishSending().readToEnd()).isEmpty();
            assertOver(balancer);
            assertThat(balancer.backend(0).stats().latency().count()).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.BYTES_TO)).isEqualTo(Upgrades.FORWARDED.length() + 1);
            assertThat(balancer.count(BackendCounter.BYTES_FROM)).isEqualTo(Upgrades.SWITCH.length() + 1);
        }
    }

    private static ClientDeadlines deadlines(Duration exchange, Duration tunnelIdle) {
        return new ClientDeadlines(LONG, LONG, LONG, LONG, exchange, MinimumRate.DEFAULT, tunnelIdle);
    }

    private static void assertOver(TestBalancer balancer) {
        balancer.awaitQuiet();
        assertThat(balancer.count(ListenerCounter.TUNNELS_OPENED)).isEqualTo(1);
        assertThat(balancer.count(ListenerCounter.TUNNELS_CLOSED)).isEqualTo(1);
        assertThat(balancer.count(ListenerCounter.REQUESTS_COMPLETED)).isEqualTo(1);
    }
}
