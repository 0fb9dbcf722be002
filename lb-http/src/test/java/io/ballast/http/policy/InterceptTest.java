package io.ballast.http.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.HealthCheck.StatusRange;
import io.ballast.core.config.RetryOn;
import io.ballast.core.config.errorpage.ErrorPages;
import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.testing.Connections;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Request;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Retries;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestErrorPages;
import io.ballast.http.testing.TestPolicy;
import io.ballast.net.config.TransportKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests error pages in place of the error responses of backends. */
class InterceptTest {

    private static final ErrorPages PAGES = new TestErrorPages()
            .page("default", "page.html", "{{status}} page")
            .intercept("401", "404", "5xx")
            .build();

    private static Script answer(int status, String lines) {
        return Script.answer("HTTP/1.1 " + status + " Told\r\n" + lines + "Content-Length: 6\r\n\r\nsecret");
    }

    private static BalancerSetup before(TestBackend backend) {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).errorPages(PAGES);
    }

    @ParameterizedTest
    @EnumSource
    void pageReplacesHeadAndBody(PolicyVersion version) throws Exception {
        String lines = String.join(
                "\r\n",
                "WWW-Authenticate: Basic realm=\"a\"",
                "Set-Cookie: a=1",
                "set-cookie: b=2",
                "Retry-After: 9",
                "Access-Control-Allow-Origin: *",
                "X-Powered-By: secret",
                "ETag: \"secret\"",
                "Content-Encoding: gzip",
                "Server: secret",
                "Content-Type: text/css",
                "");
        TestPolicy watching = new TestPolicy("watching", Phase.ADDRESS, exchange -> PolicyDecision.PASS);
        try (TestBackend backend = TestBackend.playing(answer(401, lines), answer(503, lines), Script.ok("hello"));
                TestBalancer balancer =
                        before(backend).policies(watching.named()).loops(1).start();
                PolicyClient client = version.connect(balancer)) {
            for (int status : new int[] {401, 503}) {
                PolicyClient.Answer answer = client.post("/", "body");

                assertThat(answer.status()).isEqualTo(status);
                assertThat(answer.body()).isEqualTo(status + " page");
                assertThat(answer.headers("www-authenticate")).containsExactly("Basic realm=\"a\"");
                assertThat(answer.headers("set-cookie")).containsExactly("a=1", "b=2");
                assertThat(answer.headers("retry-after")).containsExactly("9");
                assertThat(answer.headers("access-control-allow-origin")).containsExactly("*");
                assertThat(answer.headers("content-type")).containsExactly("text/html; charset=utf-8");
                assertThat(answer.headers("content-length")).containsExactly("8");
                assertThat(String.join("\n", answer.head())).doesNotContain("secret", "gzip");
            }
            assertThat(client.post("/", "").body()).isEqualTo("hello");
            assertThat(backend.connections()).isOne();
            balancer.await("all have ended", () -> watching.ends().equals(List.of(401, 503, 200)));
            assertThat(balancer.count(BackendCounter.RESPONSES_5XX)).isOne();
            assertThat(balancer.count(ListenerCounter.RESPONSES_5XX)).isOne();
            assertThat(balancer.count(ListenerCounter.RESPONSES_REPLACED)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void otherStatusesAreForwarded(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(answer(403, ""), answer(404, ""));
                TestBalancer balancer = before(backend).start();
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/", "").body()).isEqualTo("secret");
            assertThat(client.post("/", "").body()).isEqualTo("404 page");
        }
    }

    @ParameterizedTest
    @EnumSource
    void headerRulesApplyToKeptLines(PolicyVersion version) throws Exception {
        HeaderRules rules =
                new HeaderRules(HeaderChanges.NONE, new HeaderChanges(List.of(), List.of(), List.of("Set-Cookie")));
        try (TestBackend backend = TestBackend.playing(answer(404, "Set-Cookie: a=1\r\nAllow: GET\r\n"));
                TestBalancer balancer = before(backend).headers(rules).start();
                PolicyClient client = version.connect(balancer)) {
            PolicyClient.Answer answer = client.post("/", "");

            assertThat(answer.headers("set-cookie")).isEmpty();
            assertThat(answer.headers("allow")).containsExactly("GET");
        }
    }

    @ParameterizedTest
    @EnumSource
    void endlessBodyIsAbandoned(PolicyVersion version) throws Exception {
        Script endless = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 500 Told\r\nTransfer-Encoding: chunked\r\n\r\n");
            String chunk = "4000\r\n" + "x".repeat(0x4000) + "\r\n";
            while (connection.isOpen()) {
                connection.send(chunk);
            }
        };
        try (TestBackend backend = TestBackend.accepting(endless);
                TestBalancer balancer = before(backend).start();
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/", "").body()).isEqualTo("500 page");
            assertThat(client.post("/", "").body()).isEqualTo("500 page");
            backend.awaitConnectionEnd();
        }
    }

    @ParameterizedTest
    @EnumSource
    void earlyResponseIsReplacedBeforeTheRequestHasEnded(PolicyVersion version) throws Exception {
        Script early = connection -> {
            connection.readHead();
            connection.send("HTTP/1.1 500 Told\r\nContent-Length: 6\r\n\r\nsecret");
            connection.awaitClose();
        };
        try (TestBackend backend = TestBackend.playing(early);
                TestBalancer balancer = before(backend).start();
                PolicyClient client = version.connect(balancer)) {
            client.begin("/", "bo");

            assertThat(client.read().body()).isEqualTo("500 page");
            backend.awaitConnectionEnd();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anotherBackendIsTriedFirst(PolicyVersion version) throws Exception {
        RetryOn unavailable = new RetryOn(true, true, false, List.of(new StatusRange(503, 503)));
        try (TestBackend ill = TestBackend.playing(answer(503, ""));
                TestBackend well = TestBackend.playing(Script.ok("well"));
                TestBalancer balancer =
                        before(ill).backend(well).retry(Retries.on(unavailable)).start();
                PolicyClient client = version.connect(balancer)) {
            for (int i = 0; i < 4; i++) {
                String body = client.post("/", "").body(); // a POST is not retried
                assertThat(body).isIn("well", "503 page");
            }
            try (RawClient repeatable = balancer.client()) {
                for (int i = 0; i < 4; i++) {
                    repeatable.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    assertThat(repeatable.read().body()).isEqualTo("well");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void responsesOfHttp2BackendsAreReplaced(PolicyVersion version) throws Exception {
        Http2Script script = connection -> {
            connection.begin();
            Http2Request first = connection.nextRequest();
            connection.head(first, false, ":status", "502", "set-cookie", "a=1", "x-secret", "1");
            connection.upload(first, true, new byte[100]);
            Http2Request second = connection.nextRequest();
            connection.head(second, true, ":status", "404");
            connection.readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(script);
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .loops(1)
                        .protocol(BackendProtocol.H2C)
                        .backend(backend.address())
                        .errorPages(PAGES)
                        .start();
                PolicyClient client = version.connect(balancer)) {
            PolicyClient.Answer first = client.post("/", "");

            assertThat(first.body()).isEqualTo("502 page");
            assertThat(first.headers("set-cookie")).containsExactly("a=1");
            assertThat(first.headers("x-secret")).isEmpty();
            assertThat(client.post("/", "").body()).isEqualTo("404 page");
        }
    }

    @Test
    void pipelinedResponsesAreReplaced() throws Exception {
        try (TestBackend backend = TestBackend.playing(answer(404, ""), Script.ok("hello"), answer(500, ""));
                TestBalancer balancer = before(backend)
                        .loops(1)
                        .connections(new Connections().pipelining(4))
                        .start();
                RawClient client = balancer.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(3));

            assertThat(client.read().body()).isEqualTo("404 page");
            assertThat(client.read().body()).isEqualTo("hello");
            assertThat(client.read().body()).isEqualTo("500 page");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 503})
    void responsesToHeadAreReplaced(int status) throws Exception {
        try (TestBackend backend = TestBackend.playing(
                        Script.answer("HTTP/1.1 " + status + " Told\r\nContent-Length: 6\r\n\r\n"));
                TestBalancer balancer = before(backend).start();
                RawClient client = balancer.client()) {
            RawResponse response =
                    client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n").readToHead();

            assertThat(response.status()).isEqualTo(status);
            assertThat(response.header("Content-Length")).isEqualTo("8");
            assertThat(client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
                            .readToHead()
                            .status())
                    .isEqualTo(status);
        }
    }

    @Test
    void grpcResponsesAreForwarded() throws Exception {
        try (TestBackend backend = TestBackend.playing(answer(404, ""));
                TestBalancer balancer = before(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.request(/* ends= */ true, "POST", "/a", "content-type", "application/grpc");
            Http2Response response = client.read(stream);

            assertThat(response.body()).isEqualTo("secret");
        }
    }
}
