package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.testing.Connections;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.FullBacklog;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.time.Duration;

/**
 * Tests each deadline with a short value. All other deadlines are long, so that only the tested deadline can expire.
 */
class DeadlinesTest {

    private static final Duration SHORT = Duration.ofMillis(150);
    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(3);
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    @EachTransport
    void silentBackendCauses504(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .connections(longTimeouts().responseTimeout(SHORT))
                        .start();
                RawClient client = balancer.client()) {

            RawResponse answer = client.send(GET).read();

            assertThat(answer.status()).isEqualTo(504);
            assertThat(answer.header("Connection")).isNull();
            backend.awaitConnectionEnd();
            assertThat(balancer.count(Failure.RESPONSE_TIMEOUT)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.FAILED_RESPONSE_TIMEOUT)).isEqualTo(1);
        }
    }

    @EachTransport
    void stalledResponseBodyIsClosed(TransportKind transport) throws Exception {
        Script stalling = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc").awaitClose();
        };
        try (TestBackend backend = TestBackend.playing(stalling);
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .connections(longTimeouts().bodyIdleTimeout(SHORT))
                        .start();
                RawClient client = balancer.client()) {

            assertThat(client.send(GET).readToEnd()).endsWith("\r\n\r\nabc");
            backend.awaitConnectionEnd();
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isEqualTo(1);
        }
    }

    @EachTransport
    void idleBackendConnectionIsClosed(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .connections(longTimeouts().idleTimeout(SHORT))
                        .start();
                RawClient client = balancer.client()) {

            assertThat(client.send(GET).read().body()).isEqualTo("ok");
            backend.awaitConnectionEnd();
            assertThat(client.send(GET).read().body()).isEqualTo("ok");
        }
    }

    @EachTransport
    void connectTimeoutRetriesOtherBackend(TransportKind transport) throws Exception {
        try (FullBacklog full = new FullBacklog()) {
            assumeTrue(full.isFull(), "this system's backlog has no end");
            try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                    TestBalancer balancer = BalancerSetup.on(transport)
                            .backend(full.address())
                            .backend(backend)
                            .connections(longTimeouts().connectTimeout(SHORT))
                            .start();
                    RawClient client = balancer.client()) {

                assertThat(client.send(GET).read().body()).isEqualTo("ok");
                assertThat(client.send(GET).read().body()).isEqualTo("ok");
                assertThat(balancer.count(BackendCounter.FAILED_CONNECT_TIMEOUT))
                        .isPositive();
            }
        }
    }

    @EachTransport
    void slowHeadCauses408(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .deadlines(new ClientDeadlines(SHORT, LONG, LONG, LONG))
                        .start();
                RawClient used = balancer.client()) {
            String half = "GET / HTTP/1.1\r\nHost:";
            assertThat(used.send(GET).read().body()).isEqualTo("ok");
            assertThat(used.send(half).read().header("Connection")).isEqualTo("close");
            assertThat(used.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            try (RawClient fresh = balancer.client()) {
                assertThat(fresh.send(half).read().status()).isEqualTo(408);
                assertThat(fresh.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            }
            assertThat(balancer.count(Failure.REQUEST_HEAD_TIMEOUT)).isEqualTo(2);
        }
    }

    @EachTransport
    void connectionWithoutRequestIsClosedSilently(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .deadlines(new ClientDeadlines(SHORT, LONG, LONG, SHORT))
                        .start();
                RawClient used = balancer.client()) {

            assertThat(used.send(GET).read().body()).isEqualTo("ok");
            assertThat(used.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            try (RawClient silent = balancer.client()) {
                assertThat(silent.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            }
        }
    }

    @EachTransport
    void stalledRequestBodyCauses408(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .deadlines(new ClientDeadlines(LONG, SHORT, LONG, LONG))
                        .start();
                RawClient client = balancer.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");

            assertThat(client.read().status()).isEqualTo(408);
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            backend.awaitConnectionEnd();
            assertThat(backend.requests()).isEmpty();
            assertThat(balancer.count(Failure.REQUEST_BODY_TIMEOUT)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.CLIENT_ABORTS)).isEqualTo(1);
        }
    }

    private static Connections longTimeouts() {
        return new Connections().deadlines(LONG);
    }
}
