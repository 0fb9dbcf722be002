package io.ballast.http.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.errorpage.ErrorPages;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestErrorPages;
import io.ballast.http.testing.TestPolicy;
import io.ballast.net.config.TransportKind;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests error pages in place of Ballast's own error responses. */
class ErrorPagesTest {

    private static final String ACCEPT = "accept";
    private static final String ID_AND_STATUS = "{{status}} {{reason}} {{request_id}}";

    @ParameterizedTest
    @EnumSource
    void pageHasTheAcceptedFormat(PolicyVersion version) throws Exception {
        ErrorPages pages = new TestErrorPages()
                .page("5xx", "sorry.html", "<b>" + ID_AND_STATUS + "</b>")
                .page("5xx", "sorry.json", "{\"id\":\"{{request_id}}\"}")
                .build();
        try (TestBalancer balancer = unreachable().errorPages(pages).start();
                PolicyClient client = version.connect(balancer)) {
            PolicyClient.Answer html = client.post("/", "", ACCEPT, "text/html,*/*;q=0.8");
            PolicyClient.Answer json = client.post("/", "", ACCEPT, "application/json");
            PolicyClient.Answer text = client.post("/", "", ACCEPT, "text/plain");
            PolicyClient.Answer any = client.post("/", "");

            assertThat(html.status()).isEqualTo(502);
            assertThat(html.body())
                    .isEqualTo(
                            "<b>502 Bad Gateway " + html.headers("x-request-id").get(0) + "</b>");
            assertThat(html.headers("content-type")).containsExactly("text/html; charset=utf-8");
            assertThat(html.headers("cache-control")).containsExactly("no-store");
            assertThat(json.body())
                    .isEqualTo("{\"id\":\"" + json.headers("x-request-id").get(0) + "\"}");
            assertThat(json.headers("content-type")).containsExactly("application/json");
            assertThat(text.body()).startsWith("502 Bad Gateway\n");
            assertThat(any.body()).startsWith("<b>502");
            assertThat(balancer.count(ListenerCounter.RESPONSES_5XX)).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void mostSpecificPlaceWins(PolicyVersion version) throws Exception {
        ErrorPages listener = new TestErrorPages()
                .page("502", "listener.html")
                .page("404", "listener-404.html")
                .build();
        try (TestBalancer balancer = unreachable()
                        .errorPages(listener)
                        .poolErrorPages(
                                new TestErrorPages().page("503", "pool.html").build())
                        .route(RouteConfig.of(null, "/route", new RouteAction.ToPool("pool"))
                                .withErrorPages(new TestErrorPages()
                                        .page("default", "route.html")
                                        .build()))
                        .route(RouteConfig.of(null, "/pool", new RouteAction.ToPool("pool")))
                        .withoutDefaultRoute()
                        .start();
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/route", "").body()).isEqualTo("route.html");
            assertThat(client.post("/pool", "").body()).isEqualTo("listener.html");
            assertThat(client.post("/none", "").body()).isEqualTo("listener-404.html");
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusalKeepsTheLinesOfItsPolicy(PolicyVersion version) throws Exception {
        TestPolicy limit = new TestPolicy("limit", Phase.CLIENT_LIMIT, exchange -> {
            exchange.responseLines().appendAscii("Retry-After: 7\r\nWWW-Authenticate: Basic realm=\"a\"\r\n");
            return new Refusal(429, "rate_limited", "too many requests");
        });
        try (TestBalancer balancer = unreachable()
                        .policies(limit.named())
                        .errorPages(new TestErrorPages()
                                .page("429", "later.html", 503)
                                .build())
                        .start();
                PolicyClient client = version.connect(balancer)) {
            PolicyClient.Answer answer = client.post("/", "body");

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body()).isEqualTo("later.html");
            assertThat(answer.headers("retry-after")).containsExactly("7");
            assertThat(answer.headers("www-authenticate")).containsExactly("Basic realm=\"a\"");
            balancer.await("the counter", () -> balancer.count(ListenerCounter.RESPONSES_5XX) == 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void longPageIsSentWhole(PolicyVersion version) throws Exception {
        String page = "0123456789abcdef".repeat(64 * 1024);
        try (TestBalancer balancer = unreachable()
                        .errorPages(new TestErrorPages()
                                .page("default", "long.txt", page)
                                .build())
                        .start();
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/", "").body()).isEqualTo(page);
            assertThat(client.post("/", "").body()).isEqualTo(page);
        }
    }

    @Test
    void malformedRequestsAndHeadRequestsGetPages() throws Exception {
        ErrorPages pages = new TestErrorPages()
                .page("400", "bad.html", "{{status}} is bad")
                .page("502", "gone.html")
                .build();
        try (TestBalancer balancer = unreachable().errorPages(pages).start();
                RawClient client = balancer.client();
                RawClient other = balancer.client()) {
            RawResponse head = client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n").readToHead();
            RawResponse bad = other.send("GET / HTTP/1.1\r\n bad\r\n\r\n").read();

            assertThat(head.status()).isEqualTo(502);
            assertThat(head.header("Content-Length")).isEqualTo(String.valueOf("gone.html".length()));
            assertThat(bad.status()).isEqualTo(400);
            assertThat(bad.body()).isEqualTo("400 is bad");
        }
    }

    @Test
    void grpcCallsGetNoPage() throws Exception {
        try (TestBalancer balancer = unreachable()
                        .errorPages(new TestErrorPages()
                                .page("default", "page.html")
                                .intercept("default")
                                .build())
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.request(/* ends= */ true, "POST", "/a", "content-type", "application/grpc");

            assertThat(client.read(stream).body()).isEmpty();
        }
    }

    private static BalancerSetup unreachable() throws IOException {
        return BalancerSetup.on(TransportKind.NIO).backend(ClosedPort.find());
    }
}
