package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.MinimumRate;
import io.ballast.http.exchange.ListenerCounter;
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
import io.ballast.net.testing.Limits;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Tests listener limits other than those for heads and bodies. */
class ListenerLimitsTest {

    private static final Duration SHORT = Duration.ofMillis(150);
    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(3);
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    @EachTransport
    void connectionsOfClientBeyondLimitAreClosed(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .limits(new Limits().connectionsPerClient(2))
                        .start();
                RawClient kept = balancer.client()) {
            assertThat(kept.send(GET).read().body()).isEqualTo("ok");
            try (RawClient second = balancer.client()) {
                assertThat(second.send(GET).read().body()).isEqualTo("ok");
                try (RawClient third = balancer.client()) {
                    third.endAfterAll();
                }
            }
            balancer.await("the second is gone", () -> balancer.listener().openConnections() == 1);

            assertThat(balancer.count(ListenerCounter.CONNECTIONS_REFUSED_PER_CLIENT))
                    .isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_REFUSED)).isZero();
            try (RawClient fourth = balancer.client()) {
                assertThat(fourth.send(GET).read().body()).isEqualTo("ok");
            }
        }
    }

    @EachTransport
    void connectionClosesAfterRequestLimit(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .respond("/fixed", 200, "")
                        .limits(new Limits().requestsPerConnection(3))
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().header("Connection")).isNull();
            assertThat(client.send(GET.replace("/ ", "/fixed ")).read().header("Connection"))
                    .isNull();

            assertThat(client.send(GET).read().header("Connection")).isEqualTo("close");

            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_USED_UP)).isEqualTo(1);
        }
    }

    @EachTransport
    void requestsBeyondInFlightLimitGet503(TransportKind transport) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(release, "ok"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .respond("/fixed", 200, "own")
                        .limits(new Limits().inFlight(2))
                        .start();
                RawClient first = balancer.client();
                RawClient second = balancer.client();
                RawClient third = balancer.client()) {
            first.send(GET);
            second.send(GET);
            backend.nextRequest();
            backend.nextRequest();

            RawResponse refused = third.send(GET).read();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(refused.header("Connection")).isNull();
            assertThat(balancer.count(Failure.LISTENER_FULL)).isEqualTo(1);
            assertThat(third.send(GET.replace("/ ", "/fixed ")).read().body()).isEqualTo("own");

            release.countDown();
            assertThat(first.read().body()).isEqualTo("ok");
            assertThat(third.send(GET).read().body()).isEqualTo("ok");
            assertThat(second.read().body()).isEqualTo("ok");
        }
    }

    @EachTransport
    void tooLongExchangeGets504(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .deadlines(exchangeWithin(SHORT))
                        .start();
                RawClient client = balancer.client()) {

            assertThat(client.send(GET).read().status()).isEqualTo(504);

            backend.awaitConnectionEnd();
            assertThat(balancer.count(Failure.EXCHANGE_TIMEOUT)).isEqualTo(1);
        }
    }

    @EachTransport
    void tooLongExchangeIsCutAfterResponseStart(TransportKind transport) throws Exception {
        Script trickle = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n");
            while (connection.isOpen()) {
                connection.send("x");
                Thread.onSpinWait();
            }
        };
        try (TestBackend backend = TestBackend.playing(trickle);
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .deadlines(exchangeWithin(SHORT))
                        .start();
                RawClient client = balancer.client()) {
            client.send(GET).readHead();

            client.endAfterAll();

            backend.awaitConnectionEnd();
            assertThat(balancer.count(Failure.EXCHANGE_TIMEOUT)).isEqualTo(1);
        }
    }

    @EachTransport
    void completedExchangeLeavesNoDeadline(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .deadlines(exchangeWithin(LONG))
                        .start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send(GET).read().body()).isEqualTo("ok");
            }
            assertThat(balancer.count(Failure.EXCHANGE_TIMEOUT)).isZero();
        }
    }

    private static ClientDeadlines exchangeWithin(Duration time) {
        return new ClientDeadlines(
                LONG, LONG, LONG, LONG, time, MinimumRate.DEFAULT, ClientDeadlines.DEFAULT_TUNNEL_IDLE);
    }
}
