package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.config.MaintenancePage;
import io.ballast.core.config.PageBody;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the body of a maintenance page never becomes the start of the next response. */
class MaintenancePageTest {

    private static final String BODY = "HTTP/1.1 200 OK";

    private static TestBalancer start(TestBackend backend, int status) throws Exception {
        TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .maintenance(new MaintenancePage(
                        status, "text/plain", new PageBody(BODY), Optional.empty(), Optional.empty()))
                .start();
        balancer.pool()
                .maintenance(Optional.of(new OverrideTerms("ann", "", Instant.EPOCH, /* until= */ Optional.empty())));
        balancer.pool().refresh();
        return balancer;
    }

    private static RawClient send(RawClient client, String method) {
        return client.send(method + " /a HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void statusWithoutABodyHasNone(int status) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, status)) {
            try (RawClient client = balancer.client()) {
                for (int i = 0; i < 3; i++) {
                    RawResponse response = send(client, "GET").read();
                    assertThat(response.status()).isEqualTo(status);
                    assertThat(response.header("Content-Length")).isNull();
                }
                assertThat(client.finishSending().readToEnd()).isEmpty();
            }
            try (Http2Client client = Http2Client.connect(balancer.port())) {
                Http2Response response = client.read(client.get("/a"));
                assertThat(response.status()).isEqualTo(status);
                assertThat(response.body()).isEmpty();
                assertThat(response.head()).noneMatch(line -> line.startsWith("content-length"));
            }
        }
    }

    @Test
    void headGetsTheLengthOnly() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, 503);
                RawClient client = balancer.client()) {
            RawResponse head = send(client, "HEAD").readToHead();
            RawResponse whole = send(client, "GET").read();

            assertThat(head.header("Content-Length")).isEqualTo("" + BODY.length());
            assertThat(whole.body()).isEqualTo(BODY);
        }
    }
}
