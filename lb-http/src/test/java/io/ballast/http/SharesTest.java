package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.util.ArrayList;
import java.util.List;

class SharesTest {

    private static final int CLIENTS = 9;
    private static final int REQUESTS_EACH = 10;

    @EachTransport
    void roundRobinIsExactAcrossEventLoops(TransportKind transport) throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try (TestBackend first = TestBackend.playing(Script.ok("1"));
                TestBackend second = TestBackend.playing(Script.ok("2"));
                TestBackend third = TestBackend.playing(Script.ok("3"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(first)
                        .backend(second)
                        .backend(third)
                        .loops(2)
                        .start()) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(balancer.client());
            }
            for (int i = 0; i < REQUESTS_EACH; i++) {
                for (RawClient client : clients) {
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read();
                }
            }

            assertThat(List.of(first, second, third))
                    .allSatisfy(backend -> assertThat(backend.requests()).hasSize(CLIENTS * REQUESTS_EACH / 3));
            for (int i = 0; i < 3; i++) {
                assertThat(balancer.backend(i).stats().sum(BackendCounter.REQUESTS))
                        .isEqualTo(CLIENTS * REQUESTS_EACH / 3);
                assertThat(balancer.backend(i).stats().latency().count()).isEqualTo(CLIENTS * REQUESTS_EACH / 3);
            }
        } finally {
            clients.forEach(RawClient::close);
        }
    }
}
