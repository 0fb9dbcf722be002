package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HostHeader;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestHeaderRules;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.Limits;
import java.util.UUID;

class HeaderRulesTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a.example:81\r\n";

    @EachTransport
    void rulesApplyInListenerRoutePoolOrder(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("x"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .headers(TestHeaderRules.request("X-Level", "listener"))
                        .route("/route", TestHeaderRules.request("X-Level", "route"))
                        .route("/pool", HeaderRules.NONE)
                        .poolHeaders(new HeaderRules(
                                TestHeaderRules.add("X-Level", "pool"), TestHeaderRules.set("X-Pool", "p")))
                        .start();
                RawClient client = balancer.client()) {

            RawResponse response = client.send("GET /route HTTP/1.1\r\nHost: a\r\nX-Level: mine\r\n\r\n")
                    .read();
            client.send("GET /pool HTTP/1.1\r\nHost: a\r\nx-level: mine\r\n\r\n")
                    .read();

            assertThat(backend.nextRequest())
                    .isEqualTo("GET /route HTTP/1.1\r\nHost: a\r\nX-Level: route\r\nX-Level: pool\r\n\r\n");
            assertThat(backend.nextRequest())
                    .isEqualTo("GET /pool HTTP/1.1\r\nHost: a\r\nX-Level: listener\r\nX-Level: pool\r\n\r\n");
            assertThat(response.header("X-Pool")).isEqualTo("p");
        }
    }

    @EachTransport
    void variablesAreConstantWithinExchange(TransportKind transport) throws Exception {
        HeaderRules rules = new HeaderRules(
                TestHeaderRules.set("X-All", "$uuid|$incremental|$request_id|$host|$remote_addr|$backend|$$x"),
                TestHeaderRules.set("X-All", "$uuid|$incremental|$request_id|$host|$remote_addr|$backend|$$x"));
        try (TestBackend backend = TestBackend.playing(Script.ok("x"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .headers(rules)
                        .start();
                RawClient client = balancer.client()) {

            String first = client.send(GET + "\r\n").read().header("X-All");
            String second = client.send(GET + "\r\n").read().header("X-All");

            String[] values = first.split("\\|");
            assertThat(UUID.fromString(values[0]).version()).isEqualTo(4);
            assertThat(values[1]).isEqualTo("1");
            assertThat(values[2]).matches("[0-9a-f]{32}");
            assertThat(first)
                    .endsWith("|a.example|127.0.0.1|" + backend.address() + "|$x")
                    .isNotEqualTo(second);
            assertThat(second.split("\\|")[1]).isEqualTo("2");
            assertThat(second).doesNotContain(values[0]).doesNotContain(values[2]);
            assertThat(backend.nextRequest()).contains("\r\nX-All: " + first + "\r\n");
            assertThat(backend.nextRequest()).contains("\r\nX-All: " + second + "\r\n");
        }
    }

    @EachTransport
    void retryKeepsValuesExceptBackendName(TransportKind transport) throws Exception {
        try (TestBackend first = TestBackend.playing(Script.answerAndReset(""));
                TestBackend second = TestBackend.playing(Script.ok("x"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .loops(1)
                        .backend(first)
                        .backend(second)
                        .headers(TestHeaderRules.request("X-All", "$uuid $incremental $backend"))
                        .start();
                RawClient client = balancer.client()) {

            assertThat(client.send(GET + "\r\n").read().status()).isEqualTo(200);

            String seenByFirst = all(first.nextRequest());
            String seenBySecond = all(second.nextRequest());
            assertThat(seenByFirst).endsWith(" " + first.address());
            assertThat(seenBySecond)
                    .isEqualTo(seenByFirst.replace(
                            first.address().toString(), second.address().toString()));
        }
    }

    private static String all(String request) {
        return request.replaceAll("(?s).*X-All: ([^\r]*)\r\n.*", "$1");
    }

    @EachTransport
    void responseRulesApplyToOwnResponses(TransportKind transport) throws Exception {
        HeaderRules rules = new HeaderRules(
                TestHeaderRules.remove(),
                TestHeaderRules.set("Strict-Transport-Security", "max-age=1; for=$host $backend"));
        try (TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(ClosedPort.find())
                        .headers(rules)
                        .respond("/fixed", 200, "ok", TestHeaderRules.response("content-type", "text/css"))
                        .limits(new Limits().bodyBytes(10))
                        .start();
                RawClient client = balancer.client()) {

            RawResponse fixed =
                    client.send("GET /fixed HTTP/1.1\r\nHost: a\r\n\r\n").read();
            RawResponse unreachable = client.send(GET + "\r\n").read();
            RawResponse tooLarge = client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n")
                    .read();

            String header = "Strict-Transport-Security";
            assertThat(fixed.header(header)).isEqualTo("max-age=1; for=a");
            assertThat(fixed.raw()).contains("\r\ncontent-type: text/css\r\n").doesNotContain("Content-Type");
            assertThat(unreachable.status()).isEqualTo(502);
            assertThat(unreachable.header(header)).isEqualTo("max-age=1; for=a.example");
            assertThat(tooLarge.status()).isEqualTo(413);
            assertThat(tooLarge.header(header)).isEqualTo("max-age=1; for=a");
        }
        try (TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(ClosedPort.find())
                        .headers(rules)
                        .start();
                RawClient client = balancer.client()) {
            RawResponse faulty =
                    client.send("GET / HTTP/1.1\r\nHost : a\r\n\r\n").read();

            assertThat(faulty.status()).isEqualTo(400);
            assertThat(faulty.header("Strict-Transport-Security")).isEqualTo("max-age=1; for=");
        }
    }

    @EachTransport
    void informationalResponsesAreUnchanged(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answer(
                        "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .headers(TestHeaderRules.response("X-A", "b"))
                        .start();
                RawClient client = balancer.client()) {

            assertThat(client.send(GET + "\r\n").readHead()).isEqualTo("HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n");
            assertThat(RawResponse.undated(client.readHead()))
                    .isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-A: b\r\n\r\n");
        }
    }

    @EachTransport
    void sendsHostOfPool(TransportKind transport) throws Exception {
        for (HostHeader host : new HostHeader[] {new HostHeader.OfBackend(), new HostHeader.Fixed("b.example")}) {
            try (TestBackend backend = TestBackend.playing(Script.ok("x"));
                    TestBalancer balancer = BalancerSetup.on(transport)
                            .backend(backend)
                            .host(host)
                            .start();
                    RawClient client = balancer.client()) {
                client.send(GET + "\r\n").read();

                String expected = host instanceof HostHeader.Fixed
                        ? "b.example"
                        : backend.address().toString();
                assertThat(backend.nextRequest()).isEqualTo("GET / HTTP/1.1\r\nHost: " + expected + "\r\n\r\n");
            }
        }
    }
}
