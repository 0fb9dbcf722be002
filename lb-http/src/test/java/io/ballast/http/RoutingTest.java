package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.net.Cidr;
import io.ballast.http.config.PathMatch;
import io.ballast.http.config.PathRewrite;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.config.RouteMatch;
import io.ballast.http.config.ValueMatch;
import io.ballast.http.exchange.ListenerCounter;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;

class RoutingTest {

    private static final String END = " HTTP/1.1\r\nHost: a.example:80\r\n\r\n";

    @EachTransport
    void redirectsUseRequestAndKeepConnection(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .route(redirect("/old", "https://$host$uri", 308))
                        .start();
                RawClient client = balancer.client()) {
            RawResponse response = client.send("GET /old//%2F/x?y" + END).read();

            assertThat(response.status()).isEqualTo(308);
            assertThat(response.head())
                    .startsWith("HTTP/1.1 308 Permanent Redirect\r\n")
                    .contains("\r\nDate: ");
            assertThat(response.header("Location")).isEqualTo("https://a.example/old//%2F/x?y");
            assertThat(response.header("Content-Length")).isEqualTo("0");
            assertThat(response.header("Connection")).isNull();
            assertThat(client.send("GET http://b.example/old HTTP/1.1\r\nHost: a\r\n\r\n")
                            .read()
                            .header("Location"))
                    .isEqualTo("https://b.example/old");
            assertThat(client.send("GET /new" + END).read().body()).isEqualTo("hello");
            assertThat(balancer.count(ListenerCounter.RESPONSES_3XX)).isEqualTo(2);
        }
    }

    @EachTransport
    void ownResponseKeepsConnectionAfterCompleteBody(TransportKind transport) throws Exception {
        String length = "Content-Length: 3\r\n\r\nabc";
        String chunks = "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
        try (TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(ClosedPort.find())
                        .respond("/fixed", 200, "fixed")
                        .route(redirect("/moved", "/b", 303))
                        .withoutDefaultRoute()
                        .start();
                RawClient client = balancer.client()) {
            for (String body : new String[] {length, chunks, "\r\n"}) {
                for (String path : new String[] {"/fixed", "/moved", "/nowhere"}) {
                    RawResponse response = client.send("POST " + path + " HTTP/1.1\r\nHost: a\r\n" + body)
                            .read();

                    assertThat(response.header("Connection")).as(path + body).isNull();
                }
            }
            client.send("GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\nGET /fixed HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(404);
            assertThat(client.read().body()).isEqualTo("fixed");
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_OPENED)).isEqualTo(1);
            assertThat(balancer.count(Failure.NO_ROUTE)).isEqualTo(4);
        }
    }

    @EachTransport
    void ownResponseClosesHttp10Connection(TransportKind transport) throws Exception {
        try (TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(ClosedPort.find())
                        .respond("/fixed", 200, "fixed")
                        .withoutDefaultRoute()
                        .start();
                RawClient client = balancer.client()) {
            client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");

            assertThat(client.readToEnd()).startsWith("HTTP/1.1 404 ").contains("Connection: close\r\n");
        }
    }

    @EachTransport
    void redirectClosesConnectionWithPendingBody(TransportKind transport) throws Exception {
        try (TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(ClosedPort.find())
                        .route(redirect("/", "/b", 303))
                        .start();
                RawClient client = balancer.client()) {
            RawResponse response = client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabc")
                    .read();

            assertThat(response.header("Location")).isEqualTo("/b");
            assertThat(response.header("Connection")).isEqualTo("close");
            client.awaitEnd();
        }
    }

    @EachTransport
    void redirectWithoutHostIsBadRequest(TransportKind transport) throws Exception {
        try (TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(ClosedPort.find())
                        .route(redirect("/", "https://$host$uri", 301))
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send("GET / HTTP/1.0\r\n\r\n").read().status()).isEqualTo(400);
        }
    }

    @EachTransport
    void locationCannotBeSplit(TransportKind transport) throws Exception {
        for (String target : List.of("/a\rX: y", "/a\nX: y", "/a\r\nX: y", "/a\u0000", "/a b", "/a\u0085")) {
            try (TestBalancer balancer = BalancerSetup.on(transport)
                            .backend(ClosedPort.find())
                            .route(redirect("/", "$uri", 301))
                            .start();
                    RawClient client = balancer.client()) {
                assertThat(client.send("GET " + target + END).read().status()).isEqualTo(400);
            }
        }
    }

    @EachTransport
    void prefixIsStripped(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .route(new RouteConfig(
                                RouteMatch.of(null, "/api"),
                                Optional.of(new PathRewrite.Strip("/api")),
                                new RouteAction.ToPool("pool"),
                                HeaderRules.NONE))
                        .start();
                RawClient client = balancer.client()) {
            for (String target : List.of("/api", "/api/x%2F//y?q", "//api/x", "http://a.example:80/api/z?q", "/apix")) {
                assertThat(client.send("GET " + target + END).read().status()).isEqualTo(200);
            }
            client.send("POST /api/post HTTP/1.0\r\nHost: a.example:80\r\nContent-Length: 3\r\n\r\nabc")
                    .read();

            assertThat(backend.requests())
                    .extracting(request -> request.substring(0, request.indexOf('\r')))
                    .containsExactly(
                            "GET / HTTP/1.1",
                            "GET /x%2F//y?q HTTP/1.1",
                            "GET /x HTTP/1.1",
                            "GET /z?q HTTP/1.1",
                            "GET /apix HTTP/1.1",
                            "POST /post HTTP/1.1");
            assertThat(backend.requests().get(0)).isEqualTo("GET /" + END);
        }
    }

    @EachTransport
    void retryKeepsRewrittenPath(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(ClosedPort.find())
                        .backend(backend)
                        .route(new RouteConfig(
                                RouteMatch.of(null, "/a"),
                                Optional.of(new PathRewrite.Replace("/b")),
                                new RouteAction.ToPool("pool"),
                                HeaderRules.NONE))
                        .start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.send("GET /a/" + i + END).read().status()).isEqualTo(200);
            }

            assertThat(backend.requests())
                    .extracting(request -> request.substring(0, request.indexOf('\r')))
                    .containsExactly(
                            "GET /b/0 HTTP/1.1", "GET /b/1 HTTP/1.1", "GET /b/2 HTTP/1.1", "GET /b/3 HTTP/1.1");
        }
    }

    @EachTransport
    void splitUsesAllWeightedPools(TransportKind transport) throws Exception {
        try (TestBackend one = TestBackend.playing(Script.ok("one"));
                TestBackend two = TestBackend.playing(Script.ok("two"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(ClosedPort.find())
                        .pool("one", one)
                        .pool("two", two)
                        .route(RouteConfig.of(
                                null,
                                "/split",
                                new RouteAction.Split(List.of(
                                        new RouteAction.Share("pool", 0),
                                        new RouteAction.Share("one", 1),
                                        new RouteAction.Share("two", 1)))))
                        .start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 64; i++) { // one pool is missing in 64 draws with a probability of 1 in 10^19
                assertThat(client.send("GET /split" + END).read().body()).isIn("one", "two");
            }

            assertThat(one.requests().size() + two.requests().size()).isEqualTo(64);
            assertThat(one.requests()).isNotEmpty();
            assertThat(two.requests()).isNotEmpty();
        }
    }

    @EachTransport
    void routesMatchHeadersCookiesQueryMethodAndClient(TransportKind transport) throws Exception {
        RouteMatch match = new RouteMatch(
                List.of("*.example"),
                new PathMatch.Regex("/v[0-9]+/.*"),
                List.of("GET"),
                Map.of("x-a", new ValueMatch.Exact("b")),
                Map.of("q", new ValueMatch.Present(true)),
                Map.of("c", new ValueMatch.Prefix("d")),
                List.of(Cidr.parse("127.0.0.0/8")));
        try (TestBackend backend = TestBackend.playing(Script.ok("pool"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .route(RouteConfig.of(match, new RouteAction.Respond(200, "text/plain", "all")))
                        .start();
                RawClient client = balancer.client()) {
            String rest = " HTTP/1.1\r\nHost: a.example\r\nX-A: b\r\nCookie: x=y; c=de\r\n\r\n";

            assertThat(client.send("GET /v1/x?q" + rest).read().body()).isEqualTo("all");
            assertThat(client.send("PUT /v1/x?q" + rest).read().body()).isEqualTo("pool");
            assertThat(client.send("GET /v1/x?p" + rest).read().body()).isEqualTo("pool");
            assertThat(client.send("GET /v1/x?q" + rest.replace("c=d", "c=e"))
                            .read()
                            .body())
                    .isEqualTo("pool");
            assertThat(client.send("GET /v1/x?q" + rest.replace("X-A", "X-B"))
                            .read()
                            .body())
                    .isEqualTo("pool");
        }
    }

    private static RouteConfig redirect(String path, String to, int status) {
        return RouteConfig.of(null, path, new RouteAction.Redirect(to, status));
    }
}
