package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.io.IOException;
import java.net.BindException;

class ErrorResponsesTest {

    @EachTransport
    void useAcceptedMediaType(TransportKind transport) throws Exception {
        try (TestBalancer balancer = unreachable(transport);
                RawClient client = balancer.client()) {
            RawResponse json = get(client, "Accept: application/json\r\n");
            RawResponse html = get(client, "Accept: text/html,*/*\r\n");
            RawResponse plain = get(client, "");

            assertThat(json.header("Content-Type")).isEqualTo("application/json");
            assertThat(json.body())
                    .startsWith("{\"status\":502,\"error\":\"Bad Gateway\"")
                    .contains(json.header("X-Request-Id"));
            assertThat(html.header("Content-Type")).startsWith("text/html");
            assertThat(html.body()).contains("<h1>502 Bad Gateway</h1>").contains(html.header("X-Request-Id"));
            assertThat(plain.header("Content-Type")).startsWith("text/plain");
            assertThat(plain.body()).startsWith("502 Bad Gateway\n").contains(plain.header("X-Request-Id"));
            assertThat(balancer.count(ListenerCounter.RESPONSES_5XX)).isEqualTo(3);
        }
    }

    @EachTransport
    void headResponsesHaveNoBodyAndKeepConnection(TransportKind transport) throws Exception {
        try (TestBalancer balancer = unreachable(transport);
                RawClient client = balancer.client()) {
            String request = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n";

            assertThat(client.send(request).readToHead().status()).isEqualTo(502);
            assertThat(client.send(request).readToHead().status()).isEqualTo(502);
        }
    }

    @EachTransport
    void hideInternalDetails(TransportKind transport) throws Exception {
        try (TestBalancer balancer = unreachable(transport);
                RawClient client = balancer.client()) {

            assertThat(get(client, "").raw())
                    .doesNotContain("Exception")
                    .doesNotContain("127.0.0.1")
                    .doesNotContain("io.ballast");
        }
    }

    private static TestBalancer unreachable(TransportKind transport) throws BindException, IOException {
        return BalancerSetup.on(transport).backend(ClosedPort.find()).start();
    }

    private static RawResponse get(RawClient client, String line) {
        RawResponse response =
                client.send("GET / HTTP/1.1\r\nHost: a\r\n" + line + "\r\n").read();
        assertThat(response.status()).isEqualTo(502);
        assertThat(response.header("Date")).endsWith(" GMT");
        return response;
    }
}
