package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.config.HostPort;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.time.Instant;

class RetryTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody";

    @EachTransport
    void refusedConnectionRetriesAnyRequest(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(ClosedPort.find())
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.send(POST).read().body()).isEqualTo(POST);
                assertThat(client.send(GET).read().body()).isEqualTo(GET);
            }

            long refused = balancer.count(BackendCounter.FAILED_CONNECT_REFUSED);
            assertThat(refused).isPositive();
            assertThat(balancer.count(BackendCounter.RETRIES)).isEqualTo(refused);
            assertThat(balancer.count(BackendCounter.REQUESTS)).isZero();
            assertThat(balancer.count(Failure.CONNECT_REFUSED)).isZero();
        }
    }

    @EachTransport
    void unreachableBackendIsNotConnectRefused(TransportKind transport) throws Exception {
        HostPort nowhere = new HostPort("255.255.255.255", 80); // broadcast address: connects always fail
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(nowhere)
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.send(POST).read().body()).isEqualTo(POST);
            }

            assertThat(balancer.count(BackendCounter.FAILED_CONNECT)).isPositive();
            assertThat(balancer.count(BackendCounter.FAILED_CONNECT_REFUSED)).isZero();
            assertThat(balancer.count(BackendCounter.FAILED_CONNECT_TIMEOUT)).isZero();
        }
    }

    @EachTransport
    void longBodyWaitsForAcceptingBackend(TransportKind transport) throws Exception {
        String body = "0123456789".repeat(100_000);
        String request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(ClosedPort.find())
                        .backend(ClosedPort.find())
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {

            assertThat(client.send(request).read().body().equals(request)).isTrue();
        }
    }

    @EachTransport
    void refusalOfAllBackendsCauses502(TransportKind transport) throws Exception {
        try (TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(ClosedPort.find())
                        .backend(ClosedPort.find())
                        .start();
                RawClient client = balancer.client()) {

            assertThat(client.send(GET).read().status()).isEqualTo(502);
            assertThat(client.send(GET).read().status()).isEqualTo(502);
            assertThat(balancer.count(Failure.CONNECT_REFUSED)).isEqualTo(2);
            assertThat(balancer.count(BackendCounter.FAILED_CONNECT_REFUSED)).isEqualTo(2);
            balancer.awaitQuietBackends();
        }
    }

    @EachTransport
    void noUsableBackendCauses503WithRetryAfter(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            balancer.backend(0)
                    .health(new HealthStatus(
                            BackendState.DOWN,
                            Instant.EPOCH,
                            HealthStatus.Origin.CHECK,
                            "test",
                            HealthStatus.LastCheck.NONE));
            balancer.pool().refresh();

            RawResponse answer = client.send(GET).read();

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("Retry-After")).isEqualTo("1");
            assertThat(backend.connections()).isZero();
            assertThat(balancer.count(Failure.NONE_UP)).isEqualTo(1);
        }
    }

    @EachTransport
    void staleConnectionRetriesGet(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("1"), stale(), Script.ok("2"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("1");
            assertThat(client.send(GET).read().body()).isEqualTo("2");

            assertThat(backend.connections()).isEqualTo(2);
            assertThat(balancer.count(BackendCounter.RETRIES)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.FAILED_RESET)).isEqualTo(1);
            assertThat(balancer.count(Failure.RESET_BEFORE_RESPONSE)).isZero();
        }
    }

    @EachTransport
    void staleConnectionFailsPost(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("1"), stale(), Script.ok("2"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("1");
            assertThat(client.send(POST).read().status()).isEqualTo(502);

            assertThat(backend.connections()).isEqualTo(1);
            assertThat(balancer.count(Failure.RESET_BEFORE_RESPONSE)).isEqualTo(1);
        }
    }

    @EachTransport
    void staleConnectionIsNoBackendFailure(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("1"), stale(), Script.ok("2"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(GET).read();
            balancer.backend(0).requestErrors().startProbation();

            assertThat(client.send(POST).read().status()).isEqualTo(502);

            assertThat(balancer.backend(0)
                            .requestErrors()
                            .recordFailure(/* started= */ 1, /* max= */ 5, System.nanoTime()))
                    .isEqualTo("the first request failed again");
        }
    }

    @EachTransport
    void secondFailureRetriesOtherBackend(TransportKind transport) throws Exception {
        try (TestBackend failing = TestBackend.playing(Script.ok("1"), stale(), stale());
                TestBackend well = TestBackend.playing(Script.ok("2"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(failing)
                        .backend(well)
                        .loops(1)
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("1");
            assertThat(client.send(GET).read().body()).isEqualTo("2");

            assertThat(client.send(GET).read().body()).isEqualTo("2");

            assertThat(failing.connections()).isEqualTo(2);
            assertThat(balancer.count(BackendCounter.RETRIES)).isEqualTo(2);
            assertThat(balancer.count(Failure.RESET_BEFORE_RESPONSE)).isZero();
        }
    }

    @EachTransport
    void resetOfNewConnectionRetriesGetOnce(TransportKind transport) throws Exception {
        try (TestBackend first = TestBackend.playing(Script.answerAndReset(""));
                TestBackend second = TestBackend.playing(Script.answerAndReset(""));
                TestBackend third = TestBackend.playing(Script.answerAndReset(""));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(first)
                        .backend(second)
                        .backend(third)
                        .start();
                RawClient client = balancer.client()) {

            assertThat(client.send(GET).read().status()).isEqualTo(502);

            assertThat(first.requests().size()
                            + second.requests().size()
                            + third.requests().size())
                    .isEqualTo(2);
        }
    }

    @EachTransport
    void connectionClosedWhileIdleIsNotReused(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).loops(1).start();
                RawClient client = balancer.client()) {
            for (int i = 1; i <= 3; i++) {
                assertThat(client.send(POST).read().body()).isEqualTo("ok");
                backend.finishConnections();
                backend.awaitConnectionEnd();
                balancer.goRound();
            }

            assertThat(backend.connections()).isEqualTo(3);
            assertThat(balancer.count(BackendCounter.REUSES)).isZero();
        }
    }

    /** Closes the connection when a request arrives, like a connection whose idle timeout has just expired. */
    private static Script stale() {
        return connection -> {
            connection.readRequest();
            connection.close();
        };
    }
}
