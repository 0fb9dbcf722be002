package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.pool.PoolCounter;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** Tests requests that wait while all usable backends are full. */
class QueueTest {

    private static final Duration SHORT = Duration.ofMillis(150);
    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(3);
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private final Semaphore release = new Semaphore(0);

    /** Waits until the test releases a request, then responds with the request target. */
    private final Script held = connection -> {
        String request = connection.readRequest();
        release.acquire();
        String target = request.split(" ", 3)[1];
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + target.length() + "\r\n\r\n" + target);
    };

    @EachTransport
    void requestsAreServedInArrivalOrder(TransportKind transport) throws Exception {
        int count = 8;
        try (TestBackend backend = TestBackend.playing(held);
                TestBalancer balancer =
                        waiting(transport, LONG).backend(backend).start()) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int waiting = i;
                clients.add(balancer.client().send(get(i)));
                if (i == 0) {
                    backend.nextRequest();
                }
                balancer.await("it waits", () -> balancer.pool().waitingRequests() == waiting);
            }

            for (int i = 0; i < count; i++) {
                release.release();
                assertThat(clients.get(i).read().body()).isEqualTo("/" + i);
                if (i + 1 < count) {
                    assertThat(backend.nextRequest()).startsWith("GET /" + (i + 1));
                }
            }

            clients.forEach(RawClient::close);
            assertThat(balancer.pool().counters().sum(PoolCounter.QUEUED)).isEqualTo(count - 1);
            assertThat(balancer.pool().waitingRequests()).isZero();
        }
    }

    @EachTransport
    void bodyOfQueuedRequestWaits(TransportKind transport) throws Exception {
        String body = "0123456789".repeat(50_000);
        try (TestBackend backend = TestBackend.playing(held, Script.echo());
                TestBalancer balancer =
                        waiting(transport, LONG).backend(backend).start();
                RawClient first = balancer.client().send(get(0));
                RawClient second = balancer.client()) {
            backend.nextRequest();
            String head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n";
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> second.send(head, body));
            balancer.await("it waits", () -> balancer.pool().waitingRequests() == 1);

            release.release();

            assertThat(second.read().body().equals(head + body)).isTrue();
            assertThat(first.read().status()).isEqualTo(200);
            sending.join();
        }
    }

    @EachTransport
    void queueTimeoutCauses503(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(held);
                TestBalancer balancer =
                        waiting(transport, SHORT).backend(backend).start();
                RawClient first = balancer.client().send(get(0));
                RawClient second = balancer.client()) {
            backend.nextRequest();

            RawResponse answer = second.send(get(1)).read();

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("Retry-After")).isEqualTo("1");
            assertThat(balancer.count(Failure.QUEUE_TIMEOUT)).isEqualTo(1);
            assertThat(balancer.pool().counters().sum(PoolCounter.QUEUE_TIMEOUTS))
                    .isEqualTo(1);
            release.release();
            assertThat(first.read().body()).isEqualTo("/0");
            release.release();
            assertThat(second.send(get(2)).read().body()).isEqualTo("/2");
        }
    }

    @EachTransport
    void requestBeyondQueueSizeGets503(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(held);
                TestBalancer balancer =
                        waiting(transport, LONG).queue(1, LONG).backend(backend).start();
                RawClient first = balancer.client().send(get(0));
                RawClient second = balancer.client();
                RawClient third = balancer.client()) {
            backend.nextRequest();
            second.send(get(1));
            balancer.await("it waits", () -> balancer.pool().waitingRequests() == 1);

            assertThat(third.send(get(2)).read().status()).isEqualTo(503);

            assertThat(balancer.count(Failure.QUEUE_FULL)).isEqualTo(1);
            assertThat(balancer.pool().counters().sum(PoolCounter.QUEUE_REFUSED))
                    .isEqualTo(1);
            release.release(2);
            assertThat(first.read().body()).isEqualTo("/0");
            assertThat(second.read().body()).isEqualTo("/1");
        }
    }

    @EachTransport
    void requestsBeyondLimitGet503WithoutQueue(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(held);
                TestBalancer balancer = BalancerSetup.on(transport)
                        .maxInFlight(1)
                        .backend(backend)
                        .start();
                RawClient first = balancer.client().send(get(0));
                RawClient second = balancer.client()) {
            backend.nextRequest();

            assertThat(second.send(get(1)).read().status()).isEqualTo(503);

            assertThat(balancer.count(Failure.NONE_LEFT)).isEqualTo(1);
            release.release();
            assertThat(first.read().body()).isEqualTo("/0");
        }
    }

    @EachTransport
    void disconnectedClientLeavesQueue(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(held);
                TestBalancer balancer =
                        waiting(transport, LONG).backend(backend).start();
                RawClient first = balancer.client().send(get(0));
                RawClient third = balancer.client()) {
            backend.nextRequest();
            try (RawClient second = balancer.client()) {
                second.send(get(1));
                balancer.await("it waits", () -> balancer.pool().waitingRequests() == 1);
                third.send(get(2));
                balancer.await("both wait", () -> balancer.pool().waitingRequests() == 2);
            }
            balancer.await("it left", () -> balancer.pool().waitingRequests() == 1);

            release.release(2);

            assertThat(first.read().body()).isEqualTo("/0");
            assertThat(third.read().body()).isEqualTo("/2");
            assertThat(balancer.count(Failure.CLIENT_GONE)).isEqualTo(1);
            assertThat(balancer.pool().counters().sum(PoolCounter.QUEUE_LEFT)).isEqualTo(1);
        }
    }

    @EachTransport
    void queuedRequestsFailWithoutBackend(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(held);
                TestBalancer balancer =
                        waiting(transport, LONG).backend(backend).start();
                RawClient first = balancer.client().send(get(0));
                RawClient second = balancer.client().send(get(1))) {
            balancer.await("one waits", () -> balancer.pool().waitingRequests() == 1);

            publish(balancer, 0, BackendState.DOWN);

            balancer.await("it is answered", () -> balancer.count(Failure.NONE_UP) == 1);
            release.release();
            assertThat(List.of(first.read().status(), second.read().status())).containsExactlyInAnyOrder(200, 503);
        }
    }

    @EachTransport
    void recoveredBackendServesQueuedRequests(TransportKind transport) throws Exception {
        try (TestBackend busy = TestBackend.playing(held);
                TestBackend other = TestBackend.playing(Script.ok("other"));
                TestBalancer balancer =
                        waiting(transport, LONG).backend(busy).backend(other).start()) {
            publish(balancer, 1, BackendState.DOWN);
            try (RawClient first = balancer.client().send(get(0))) {
                busy.nextRequest();
                try (RawClient second = balancer.client().send(get(1))) {
                    balancer.await("it waits", () -> balancer.pool().waitingRequests() == 1);

                    publish(balancer, 1, BackendState.UP);

                    assertThat(second.read().body()).isEqualTo("other");
                }
                release.release();
                assertThat(first.read().body()).isEqualTo("/0");
            }
        }
    }

    @EachTransport
    void limitHoldsAcrossEventLoops(TransportKind transport) throws Exception {
        int limit = 2;
        AtomicInteger running = new AtomicInteger();
        AtomicInteger max = new AtomicInteger();
        Script counting = connection -> {
            connection.readRequest();
            max.accumulateAndGet(running.incrementAndGet(), Math::max);
            Thread.onSpinWait();
            running.decrementAndGet();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        };
        try (TestBackend backend = TestBackend.playing(counting);
                TestBalancer balancer = BalancerSetup.on(transport)
                        .loops(3)
                        .maxInFlight(limit)
                        .queue(100, LONG)
                        .backend(backend)
                        .start()) {
            balancer.queryConcurrently(/* clients= */ 12, /* requests= */ 100, GET);

            assertThat(max.get()).isLessThanOrEqualTo(limit);
            assertThat(backend.requests()).hasSize(1_200);
        }
    }

    private static BalancerSetup waiting(TransportKind transport, Duration timeout) {
        return BalancerSetup.on(transport).maxInFlight(1).queue(10, timeout);
    }

    private static String get(int number) {
        return "GET /" + number + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    private static void publish(TestBalancer balancer, int backend, BackendState state) {
        balancer.backend(backend)
                .health(new HealthStatus(
                        state, Instant.EPOCH, HealthStatus.Origin.CHECK, "test", HealthStatus.LastCheck.NONE));
        balancer.pool().refresh();
    }
}
