package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.HealthCheck.StatusRange;
import io.ballast.core.config.RetryOn;
import io.ballast.core.testing.Connections;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Retries;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tests that abandoned requests and connections end by their own deadline, even with minimal traffic. */
class PinnedResourcesTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(3);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final RetryOn SERVER_ERRORS = new RetryOn(true, true, false, List.of(new StatusRange(500, 599)));
    private static final int MIB = 1024 * 1024;

    @EachTransport
    void slowDeclinedResponseIsAbandoned(TransportKind transport) throws Exception {
        try (TestBackend ill = TestBackend.playing(dripping());
                TestBackend well = TestBackend.playing(Script.ok("well"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(ill)
                        .backend(well)
                        .retry(Retries.on(SERVER_ERRORS))
                        .connections(new Connections().deadlines(LONG).bodyIdleTimeout(SHORT))
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("well");

            ill.awaitConnectionEnd();
        }
    }

    @EachTransport
    void slowDeclinedPipelinedResponseIsAbandoned(TransportKind transport) throws Exception {
        try (TestBackend ill = TestBackend.playing(dripping());
                TestBackend well = TestBackend.playing(Script.ok("well"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(ill)
                        .backend(well)
                        .retry(Retries.on(SERVER_ERRORS))
                        .connections(new Connections()
                                .deadlines(LONG)
                                .bodyIdleTimeout(SHORT)
                                .pipelining(4))
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("well");

            ill.awaitConnectionEnd();
        }
    }

    /** The only allowed connection is busy with a response that is discarded. */
    @EachTransport
    void requestFailsWithoutAvailableConnection(TransportKind transport) throws Exception {
        try (TestBackend ill = TestBackend.playing(dripping());
                TestBackend well = TestBackend.playing(Script.ok("well"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .loops(1)
                        .backend(ill)
                        .backend(well)
                        .retry(Retries.on(SERVER_ERRORS))
                        .connections(new Connections()
                                .deadlines(LONG)
                                .connectTimeout(SHORT)
                                .maxConnections(1))
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("well");

            List<Integer> statuses = List.of(
                    client.send(GET).read().status(), client.send(GET).read().status());

            assertThat(statuses).contains(503);
            assertThat(balancer.count(Failure.QUEUE_TIMEOUT)).isPositive();
            assertThat(balancer.count(BackendCounter.CONNECTION_WAITS))
                    .isEqualTo(balancer.count(BackendCounter.CONNECTION_WAITS_OVER));
            assertThat(balancer.count(BackendCounter.FAILED_CONNECT_TIMEOUT)).isZero();
        }
    }

    /**
     * The balancer does not read from the client while the backend reads nothing. So no read can detect that the
     * client disconnects.
     */
    @EachTransport
    void disconnectDuringPausedUploadIsDetected(TransportKind transport) throws Exception {
        if (transport == TransportKind.NIO) {
            return; // NIO detects no disconnect; the backend's response timeout ends the request
        }
        CountDownLatch over = new CountDownLatch(1);
        Script stalled = connection -> {
            connection.readHead();
            connection.await(over);
        };
        try (TestBackend backend = TestBackend.playing(stalled);
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .connections(new Connections().deadlines(LONG))
                        .start();
                RawClient client = balancer.client()) {
            client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: " + 64 * MIB + "\r\n\r\n");
            sendUntilHeldUp(client, balancer);

            client.close();

            balancer.await("it is detected", () -> balancer.count(Failure.CLIENT_GONE) == 1);
            balancer.awaitQuiet();
            assertThat(balancer.buffersInUse()).isLessThan(MIB);
            over.countDown();
        }
    }

    /**
     * Sends pieces until the balancer leaves one unread. Then little data is in transit, so that the balancer
     * detects the disconnect.
     */
    private static void sendUntilHeldUp(RawClient client, TestBalancer balancer) {
        int piece = 16 * 1024;
        long before = balancer.count(ListenerCounter.BYTES_IN);
        int roundsWithout = 0;
        while (roundsWithout < 50) {
            client.send(new byte[piece]);
            long sent = before + piece;
            roundsWithout = 0;
            while (balancer.count(ListenerCounter.BYTES_IN) < sent && roundsWithout < 50) {
                balancer.goRound();
                roundsWithout++;
            }
            before = sent;
        }
    }

    /** Sends a byte every 20 ms, forever. */
    private static Script dripping() {
        CountDownLatch never = new CountDownLatch(1);
        return connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 500 Oh\r\nContent-Length: 60000\r\n\r\n");
            while (!never.await(20, TimeUnit.MILLISECONDS)) {
                connection.send("x");
            }
        };
    }
}
