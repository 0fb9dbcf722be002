package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.testing.DashboardFixture;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecurityTest {

    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

    /** The dashboard of all tests, which no test changes. */
    private static DashboardFixture fixture;

    @BeforeAll
    static void start() throws IOException {
        fixture = new DashboardFixture(1);
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/login.html", "/assets/nothing.js", "/stats", "/metrics", "/healthz", "/nothing"})
    void everyResponseHasTheSecurityHeaders(String path) throws Exception {
        HttpHeaders headers = fixture.get(path).headers();

        assertThat(headers.allValues("content-security-policy")).containsExactly(POLICY);
        assertThat(headers.allValues("x-content-type-options")).containsExactly("nosniff");
        assertThat(headers.allValues("referrer-policy")).containsExactly("no-referrer");
        assertThat(headers.allValues("cross-origin-opener-policy")).containsExactly("same-origin");
        assertThat(headers.allValues("cross-origin-resource-policy")).containsExactly("same-origin");
        assertThat(headers.firstValue("permissions-policy")).isPresent();
        assertThat(headers.firstValue("server")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost", "LOCALHOST:1234", "127.0.0.1:80", "127.8.9.10", "[::1]:8001", "[0:0:0:0:0:0:0:1]"})
    void loopbackHostsAreAccepted(String host) throws Exception {
        assertThat(status(host)).isEqualTo("HTTP/1.1 200 OK");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8001",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "10.0.0.1",
                "[::2]",
                "[::ffff:10.0.0.1]",
                "",
                "0x7f.1"
            })
    void otherHostsGetA421(String host) throws Exception {
        assertThat(status(host)).isEqualTo("HTTP/1.1 421 Misdirected Request");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/healthz", "/readyz", "/readyz?verbose"})
    void probesAreAnsweredWithAnyHostOrNone(String path) throws Exception {
        assertThat(fixture.raw("GET " + path + " HTTP/1.1\r\nHost: foo\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
        assertThat(fixture.raw("HEAD " + path + " HTTP/1.1\r\nHost: foo\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
        assertThat(fixture.raw("GET " + path + " HTTP/1.0\r\n\r\n")).contains(" 200 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/metrics", "/healthz/../stats", "/readyzz", "/%72eadyz"})
    void otherPathsRequireAKnownHost(String path) throws Exception {
        assertThat(fixture.raw("GET " + path + " HTTP/1.1\r\nHost: foo\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 421 ");
    }

    @Test
    void requestsWithoutExactlyOneHostAreBadRequests() throws Exception {
        assertThat(fixture.raw("GET /stats HTTP/1.1\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(fixture.raw(
                        "GET /stats HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
    }

    @Test
    void otherSitesMayLinkButNotRead() throws Exception {
        HttpResponse<String> fetched = fixture.get("/stats", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "cors");
        HttpResponse<String> followed = fixture.get("/", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate");

        assertThat(fetched.statusCode()).isEqualTo(403);
        assertThat(followed.statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /stats HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "GET /stats HTTP/1.1\r\nHost : localhost\r\n\r\n",
                "GET http://localhost/stats HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "NONSENSE\r\n\r\n"
            })
    void malformedRequestsGetA400AndCloseTheConnection(String request) throws Exception {
        assertThat(fixture.raw(request)).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void aTooLongBodyIsRejected() throws Exception {
        String request =
                "GET /stats HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\nConnection: close\r\n\r\n";

        assertThat(fixture.raw(request))
                .startsWith("HTTP/1.1 413 ")
                .contains("content-type: application/problem+json")
                .contains("X-Content-Type-Options: nosniff")
                .endsWith("(expected: at most 16384 bytes)\"}");
    }

    @Test
    void aTooLongBodyIsRejectedBeforeItIsSent() throws Exception {
        String request = "POST /api/v1/reload HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + 100_000
                + "\r\nExpect: 100-continue\r\n\r\n";

        assertThat(fixture.raw(request)).startsWith("HTTP/1.1 413 ").contains("\"status\":413");
    }

    @Test
    void theConnectionServesRequestsAfterATooLongBody() throws Exception {
        String body = "x".repeat(20_000);
        String requests = "POST /api/v1/reload HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body
                + "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

        assertThat(fixture.raw(requests)).startsWith("HTTP/1.1 413 ").contains("HTTP/1.1 200 ");
    }

    private String status(String host) throws IOException {
        return fixture.raw("GET /stats HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                .lines()
                .findFirst()
                .orElse("no answer");
    }
}
