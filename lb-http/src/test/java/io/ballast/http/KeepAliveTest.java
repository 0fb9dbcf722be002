package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;

class KeepAliveTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    @EachTransport
    void requestsOfOneClientShareBackendConnection(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.send(GET).read().undated())
                        .isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
            }

            assertThat(backend.connections()).isEqualTo(1);
            assertThat(backend.requests()).hasSize(5).containsOnly(GET);
            assertThat(balancer.count(BackendCounter.CONNECTS)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.REUSES)).isEqualTo(4);
            assertThat(balancer.count(ListenerCounter.REQUESTS)).isEqualTo(5);
            assertThat(balancer.count(ListenerCounter.RESPONSES_2XX)).isEqualTo(5);
        }
    }

    @EachTransport
    void pipelinedRequestsAreAnsweredInOrder(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .respond("/fixed", 200, "fixed")
                        .start();
                RawClient client = balancer.client()) {
            client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
                    + "GET /fixed HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /4 HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /fixed HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(client.read().body()).startsWith("GET /1 ");
            assertThat(client.read().body()).startsWith("POST /2 ").endsWith("abc");
            assertThat(client.read().body()).isEqualTo("fixed");
            assertThat(client.read().body()).startsWith("GET /4 ");
            assertThat(client.read().body()).isEqualTo("fixed");
        }
    }
}
