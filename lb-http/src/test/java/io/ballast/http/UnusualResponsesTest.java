package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import java.net.BindException;
import org.junit.jupiter.api.Test;

/** Tests rare responses, and invalid responses that a proxy must correct. */
class UnusualResponsesTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String HEAD = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String UPGRADE_REQUIRED =
            "HTTP/1.1 426 Upgrade Required\r\nUpgrade: HTTP/3.0\r\nConnection: Upgrade\r\nContent-Length: 0\r\n\r\n";
    private static final String BOTH = "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n";

    /** RFC 9110 section 15.5.22: the response must list the protocols. */
    @Test
    void upgradeRequiredKeepsUpgradeHeader() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answer(UPGRADE_REQUIRED));
                TestBalancer balancer = balancer(backend);
                RawClient client = balancer.client();
                Http2Client second = Http2Client.connect(balancer.port())) {
            RawResponse response = client.send(GET).read();
            assertThat(response.status()).isEqualTo(426);
            assertThat(response.header("Upgrade")).isEqualTo("HTTP/3.0");
            assertThat(response.header("Connection")).isEqualTo("Upgrade");

            Http2Response other = second.read(second.get("/"));
            assertThat(other.status()).isEqualTo(426);
            assertThat(other.header("upgrade")).isNull(); // HTTP/2 has no such header
        }
    }

    @Test
    void upgradeHeaderOfOtherResponsesIsRemoved() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answer(
                        "HTTP/1.1 200 OK\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 0\r\n\r\n"));
                TestBalancer balancer = balancer(backend);
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().head()).doesNotContain("pgrade");
        }
    }

    /** A response to HEAD has no body whose end could be ambiguous (RFC 9112 section 6.3). */
    @Test
    void headResponseMayHaveLengthAndChunked() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answer("HTTP/1.1 200 OK\r\n" + BOTH + "\r\n"));
                TestBalancer balancer = balancer(backend);
                RawClient client = balancer.client();
                Http2Client second = Http2Client.connect(balancer.port())) {
            RawResponse response = client.send(HEAD).readToHead();
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.header("Transfer-Encoding")).isEqualTo("chunked");
            assertThat(response.header("Content-Length")).isNull();
            assertThat(client.send(HEAD).readToHead().status()).isEqualTo(200);

            Http2Response other = second.read(second.request(/* ends= */ true, "HEAD", "/"));
            assertThat(other.status()).isEqualTo(200);
            assertThat(other.header("content-length")).isNull();
        }
    }

    @Test
    void getResponseWithLengthAndChunkedIsRejected() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answer("HTTP/1.1 200 OK\r\n" + BOTH + "\r\n0\r\n\r\n"));
                TestBalancer balancer = balancer(backend);
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().status()).isEqualTo(502);
            assertThat(balancer.count(BackendCounter.FAILED_BAD_RESPONSE)).isEqualTo(1);
        }
    }

    @Test
    void statusAbove599IsServerError() throws Exception {
        try (TestBackend backend =
                        TestBackend.playing(Script.answer("HTTP/1.1 999 Denied\r\nContent-Length: 2\r\n\r\nno"));
                TestBalancer balancer = balancer(backend);
                RawClient client = balancer.client();
                Http2Client second = Http2Client.connect(balancer.port())) {
            RawResponse response = client.send(GET).read();
            assertThat(response.head()).startsWith("HTTP/1.1 999 Denied\r\n");
            assertThat(response.body()).isEqualTo("no");
            assertThat(second.read(second.get("/")).status()).isEqualTo(999);
            assertThat(balancer.count(ListenerCounter.RESPONSES_5XX)).isEqualTo(2);
            assertThat(balancer.count(BackendCounter.RESPONSES_5XX)).isEqualTo(2);
        }
    }

    /** RFC 9112 section 5.1: a proxy must remove white space before a colon from a response. */
    @Test
    void spaceBeforeColonIsRemovedFromResponse() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answer(
                        "HTTP/1.1 200 OK\r\nX-A : b\r\nX-B\t \t:c\r\nContent-Length : 2\r\nX-D: d : e\r\n\r\nok"));
                TestBalancer balancer = balancer(backend);
                RawClient client = balancer.client();
                Http2Client second = Http2Client.connect(balancer.port())) {
            RawResponse response = client.send(GET).read();
            assertThat(response.head())
                    .contains("\r\nX-A: b\r\n")
                    .contains("\r\nX-B:c\r\n")
                    .contains("\r\nContent-Length: 2\r\n")
                    .contains("\r\nX-D: d : e\r\n");
            assertThat(response.body()).isEqualTo("ok");
            assertThat(second.read(second.get("/")).header("x-a")).isEqualTo("b");
        }
    }

    /** RFC 9112 section 5.1: a server must reject a request with white space before a colon. */
    @Test
    void spaceBeforeColonInRequestIsRejected() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = balancer(backend);
                RawClient client = balancer.client()) {
            assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\nX-A : b\r\n\r\n")
                            .read()
                            .status())
                    .isEqualTo(400);
        }
    }

    private static TestBalancer balancer(TestBackend backend) throws BindException {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).start();
    }
}
