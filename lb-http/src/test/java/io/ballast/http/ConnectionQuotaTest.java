package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.HealthCheck.StatusRange;
import io.ballast.core.config.RetryOn;
import io.ballast.core.testing.Connections;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Tests the connection limit of a backend across all event loops. */
class ConnectionQuotaTest {

    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(3);
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    /** With one connection for four loops, nearly every request needs an idle connection of another loop. */
    @EachTransport
    void loopsReleaseIdleConnectionsForOthers(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .loops(4)
                        .connections(new Connections().connectTimeout(LONG))
                        .maxConnections(1)
                        .backend(backend)
                        .start()) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                clients.add(balancer.client());
            }
            for (int round = 0; round < 5; round++) {
                for (RawClient client : clients) {
                    assertThat(client.send(GET).read().body()).isEqualTo("ok");
                }
            }
            clients.forEach(RawClient::close);

            assertThat(balancer.count(BackendCounter.CONNECTS) + balancer.count(BackendCounter.REUSES))
                    .isEqualTo(80);
        }
    }

    @EachTransport
    void openConnectionsStayWithinLimit(TransportKind transport) throws Exception {
        int limit = 3;
        AtomicInteger open = new AtomicInteger();
        Script counting = connection -> {
            open.incrementAndGet();
            try {
                while (true) {
                    connection.readRequest();
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                }
            } finally {
                open.decrementAndGet();
            }
        };
        try (TestBackend backend = TestBackend.accepting(counting);
                TestBalancer balancer = BalancerSetup.on(transport)
                        .loops(3)
                        .maxConnections(limit)
                        .queue(100, LONG)
                        .backend(backend)
                        .start()) {
            balancer.queryConcurrently(/* clients= */ 9, /* requests= */ 100, GET);

            // The backend may detect a close late. Without the limit, each loop could keep three connections.
            balancer.await("as many as allowed are left", () -> open.get() <= limit);
            assertThat(balancer.count(BackendCounter.CONNECTS)).isPositive();
        }
    }

    @EachTransport
    void connectionLimitBoundsExchanges(TransportKind transport) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(release, "ok"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .maxConnections(1)
                        .backend(backend)
                        .start();
                RawClient first = balancer.client().send(GET);
                RawClient second = balancer.client()) {
            backend.nextRequest();

            assertThat(second.send(GET).read().status()).isEqualTo(503);

            assertThat(balancer.count(Failure.NONE_LEFT)).isEqualTo(1);
            release.countDown();
            assertThat(first.read().body()).isEqualTo("ok");
        }
    }

    /**
     * A request whose response is discarded is not in flight, but its connection stays in use until the response was
     * read.
     */
    @EachTransport
    void waitingRequestIsCounted(TransportKind transport) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Script slow = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 503 No\r\nContent-Length: 4\r\n\r\nno");
            connection.await(release);
            connection.send("no").awaitClose();
        };
        RetryOn serverErrors = new RetryOn(true, true, false, List.of(new StatusRange(500, 599)));
        try (TestBackend ill = TestBackend.playing(slow, Script.ok("ill"));
                TestBackend well = TestBackend.playing(Script.ok("well"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .loops(1)
                        .maxConnections(1)
                        .retry(Retries.on(serverErrors))
                        .backend(ill)
                        .backend(well)
                        .start();
                RawClient first = balancer.client();
                RawClient second = balancer.client()) {
            do {
                assertThat(first.send(GET).read().body()).isEqualTo("well");
            } while (ill.connections() == 0);
            List<String> bodies = new ArrayList<>();

            first.send(GET);
            second.send(GET);
            balancer.await("one waits", () -> balancer.backend(0).stats().waitingForConnection() == 1);
            assertThat(balancer.backend(1).stats().waitingForConnection()).isZero();
            release.countDown();
            bodies.add(first.read().body());
            bodies.add(second.read().body());

            assertThat(bodies).containsExactlyInAnyOrder("ill", "well");
            assertThat(balancer.backend(0).stats().waitingForConnection()).isZero();
            assertThat(balancer.count(BackendCounter.CONNECTION_WAITS)).isEqualTo(1);
        }
    }

    @EachTransport
    void closedConnectionsFreeQuota(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(
                        Script.answerAndClose("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .maxConnections(1)
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 20; i++) {
                assertThat(client.send(GET).read().body()).isEqualTo("ok");
            }
            assertThat(backend.connections()).isEqualTo(20);
        }
    }
}
