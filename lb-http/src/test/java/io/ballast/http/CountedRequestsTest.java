package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.pool.PoolCounter;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;

/** Tests that each request is counted once, with the result that its client gets, regardless of retries. */
class CountedRequestsTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    @EachTransport
    void unservedRequestCountsAsOneRequestAndOneError(TransportKind transport) throws Exception {
        try (TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(ClosedPort.find())
                        .backend(ClosedPort.find())
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().status()).isEqualTo(502);

            assertCounts(balancer, 1, 1);
            assertThat(balancer.pool().counters().sum(PoolCounter.REQUESTS)).isEqualTo(1);
            assertThat(balancer.pool().counters().sum(PoolCounter.ERRORS)).isEqualTo(1);
        }
    }

    @EachTransport
    void successfulRetryIsNoError(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(ClosedPort.find())
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.send(GET).read().status()).isEqualTo(200);
            }

            assertCounts(balancer, 4, 0);
            assertThat(balancer.count(BackendCounter.RETRIES)).isPositive();
            assertThat(balancer.pool().counters().sum(PoolCounter.REQUESTS)).isEqualTo(4);
            assertThat(balancer.pool().counters().sum(PoolCounter.ERRORS)).isZero();
        }
    }

    @EachTransport
    void truncatedResponseIsError(TransportKind transport) throws Exception {
        String half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345";
        try (TestBackend backend = TestBackend.playing(Script.answerAndClose(half));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(GET).readToEnd();

            assertCounts(balancer, 1, 1);
            assertThat(balancer.count(ListenerCounter.RESPONSES_2XX)).isEqualTo(1);
        }
    }

    @EachTransport
    void ownResponsesAreCountedByListenerOnly(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .respond("/fixed", 200, "fixed")
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send("GET /fixed HTTP/1.1\r\nHost: a\r\n\r\n")
                            .read()
                            .status())
                    .isEqualTo(200);
            assertThat(client.send("nonsense\r\n\r\n").readToEnd()).startsWith("HTTP/1.1 400 ");

            assertCounts(balancer, 2, 0);
            assertThat(balancer.count(ListenerCounter.RESPONSES_4XX)).isEqualTo(1);
            assertThat(balancer.pool().counters().sum(PoolCounter.REQUESTS)).isZero();
        }
    }

    private static void assertCounts(TestBalancer balancer, long requests, long errors) {
        balancer.await("all are over", () -> balancer.count(ListenerCounter.REQUESTS_COMPLETED) == requests);
        assertThat(balancer.count(ListenerCounter.REQUESTS)).isEqualTo(requests);
        assertThat(balancer.count(ListenerCounter.ERRORS)).isEqualTo(errors);
    }
}
