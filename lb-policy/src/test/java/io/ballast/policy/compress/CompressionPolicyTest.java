package io.ballast.policy.compress;

import static io.ballast.policy.compress.CompressionSetup.before;
import static io.ballast.policy.compress.CompressionSetup.count;
import static io.ballast.policy.compress.CompressionSetup.gzip;
import static io.ballast.policy.compress.CompressionSetup.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests which responses are compressed, and what the client sees of them. */
class CompressionPolicyTest {

    private static final String TEXT = text(20_000);

    private static Script answer(String lines, String body) {
        return Script.answer("HTTP/1.1 200 OK\r\n" + lines + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    private static String chunked(String body, String trailers) {
        StringBuilder coded = new StringBuilder();
        for (int from = 0; from < body.length(); from += 3000) {
            String piece = body.substring(from, Math.min(from + 3000, body.length()));
            coded.append(Integer.toHexString(piece.length()))
                    .append("\r\n")
                    .append(piece)
                    .append("\r\n");
        }
        return coded + "0\r\n" + trailers + "\r\n";
    }

    @ParameterizedTest
    @EnumSource
    void compressesBodyOfKnownLength(HttpVersion version) throws Exception {
        NamedPolicy policy = gzip();
        try (TestBackend backend = TestBackend.playing(
                        answer("Content-Type: text/html; charset=utf-8\r\nAccept-Ranges: bytes\r\n", TEXT));
                TestBalancer balancer = before(backend, policy).start()) {
            ReceivedResponseText response = version.fetch(balancer, "GET", "accept-encoding", "gzip, deflate, br");

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.isCompressed()).isTrue();
            assertThat(response.text()).isEqualTo(TEXT);
            assertThat(response.body().length()).isLessThan(TEXT.length() / 2);
            assertThat(response.headers("vary")).containsExactly("Accept-Encoding");
            assertThat(response.headers("content-length")).isEmpty();
            assertThat(response.headers("accept-ranges")).isEmpty();
            assertThat(response.headers("content-type")).containsExactly("text/html; charset=utf-8");
            assertThat(count(policy, CompressionOutcome.COMPRESSED)).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void keepsTrailersOfChunkedBody(HttpVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answer(
                        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
                                + chunked(TEXT, "x-sum: 1\r\nx-end: 2\r\n")));
                TestBalancer balancer = before(backend, gzip()).start()) {
            ReceivedResponseText response = version.fetch(balancer, "GET", "accept-encoding", "gzip");

            assertThat(response.isCompressed()).isTrue();
            assertThat(response.text()).isEqualTo(TEXT);
            assertThat(response.trailers()).containsExactly("x-sum: 1", "x-end: 2");
        }
    }

    @ParameterizedTest
    @EnumSource
    void compressesBodyThatEndsWithConnection(HttpVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(
                        Script.answerAndClose("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n" + TEXT));
                TestBalancer balancer = before(backend, gzip()).start()) {
            ReceivedResponseText response = version.fetch(balancer, "GET", "accept-encoding", "gzip");

            assertThat(response.isCompressed()).isTrue();
            assertThat(response.text()).isEqualTo(TEXT);
        }
    }

    @ParameterizedTest
    @EnumSource
    void compressesEmptyBodyOfUnknownLength(HttpVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answer(
                        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"));
                TestBalancer balancer = before(backend, gzip()).start()) {
            ReceivedResponseText response = version.fetch(balancer, "GET", "accept-encoding", "gzip");

            assertThat(response.isCompressed()).isTrue();
            assertThat(response.text()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP_1, 1024, true", "HTTP_1, 1023, false", "HTTP_1, 0, false",
        "HTTP_2, 1024, true", "HTTP_2, 1023, false", "HTTP_2, 0, false"
    })
    void compressesFromOneKibibyteOn(HttpVersion version, int length, boolean compressed) throws Exception {
        String body = text(length);
        try (TestBackend backend = TestBackend.playing(answer("Content-Type: text/plain\r\n", body));
                TestBalancer balancer = before(backend, gzip()).start()) {
            ReceivedResponseText response = version.fetch(balancer, "GET", "accept-encoding", "gzip");

            assertThat(response.isCompressed()).isEqualTo(compressed);
            assertThat(response.text()).isEqualTo(body);
            assertThat(response.headers("vary")).containsExactly("Accept-Encoding");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip       | Content-Type: image/png                                     | TYPE         | false",
                "gzip       | X-No: type                                                  | TYPE         | false",
                "gzip       | Content-Type: application/grpc+json                         | TYPE         | false",
                "gzip       | Content-Type: text/css; Content-Encoding: br                | ENCODED      | false",
                "gzip       | Content-Type: text/css; Cache-Control: max-age=1, No-Transform | NO_TRANSFORM | false",
                "gzip       | Content-Type: text/css; Content-Range: bytes 0-1/2          | PARTIAL      | true",
                "br         | Content-Type: text/css                                      | NOT_ACCEPTED | true",
                "gzip;q=0   | Content-Type: text/css                                      | NOT_ACCEPTED | true",
                "gzip;q=0.4, identity;q=0.5 | Content-Type: text/css                      | NOT_ACCEPTED | true",
                "gzip       | Content-Type: TEXT/CSS                                      | COMPRESSED   | true",
                "x-gzip     | Content-Type: application/ld+json                           | COMPRESSED   | true",
                "*;q=0.1    | Content-Type: image/svg+xml                                 | COMPRESSED   | true",
                "gzip       | Content-Type: text/css; Content-Encoding: identity          | COMPRESSED   | true",
                "gzip       | Content-Type: text/css; Vary: Origin, accept-encoding       | COMPRESSED   | true",
                "gzip       | Content-Type: text/css; Vary: Origin                        | COMPRESSED   | true",
            })
    void outcomeDependsOnBothHeads(String accepted, String lines, CompressionOutcome outcome, boolean varies)
            throws Exception {
        for (HttpVersion version : HttpVersion.values()) {
            NamedPolicy policy = gzip();
            try (TestBackend backend =
                            TestBackend.playing(answer(lines.replaceAll("; (?=[A-Z])", "\r\n") + "\r\n", TEXT));
                    TestBalancer balancer = before(backend, policy).start()) {
                ReceivedResponseText response = version.fetch(balancer, "GET", "accept-encoding", accepted);

                assertThat(count(policy, outcome)).as("%s", version).isOne();
                assertThat(response.isCompressed()).isEqualTo(outcome == CompressionOutcome.COMPRESSED);
                assertThat(response.text()).isEqualTo(TEXT);
                String vary = String.join(",", response.headers("vary")).toLowerCase(java.util.Locale.ROOT);
                assertThat(vary.split("accept-encoding", -1)).hasSize(varies ? 2 : 1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shortBodyIsCompressedForClientThatRefusesIdentity(HttpVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(answer("Content-Type: text/plain\r\n", "short"));
                TestBalancer balancer = before(backend, gzip()).start()) {
            ReceivedResponseText response = version.fetch(balancer, "GET", "accept-encoding", "gzip, identity;q=0");

            assertThat(response.isCompressed()).isTrue();
            assertThat(response.text()).isEqualTo("short");
        }
    }

    @ParameterizedTest
    @CsvSource({"HTTP_1, \"a\"", "HTTP_1, W/\"a\"", "HTTP_2, \"a\"", "HTTP_2, W/\"a\""})
    void entityTagBecomesWeak(HttpVersion version, String tag) throws Exception {
        try (TestBackend backend =
                        TestBackend.playing(answer("Content-Type: text/plain\r\nETag: " + tag + "\r\n", TEXT));
                TestBalancer balancer = before(backend, gzip()).start()) {
            assertThat(version.fetch(balancer, "GET", "accept-encoding", "gzip").headers("etag"))
                    .containsExactly("W/\"a\"");
            assertThat(version.fetch(balancer, "GET").headers("etag")).containsExactly(tag);
        }
    }

    @ParameterizedTest
    @EnumSource
    void notModifiedHasVaryAndWeakTag(HttpVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(
                        Script.answer("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nX-Other: 1\r\n\r\n"));
                TestBalancer balancer = before(backend, gzip()).start()) {
            ReceivedResponseText response =
                    version.fetch(balancer, "GET", "accept-encoding", "gzip", "if-none-match", "W/\"a\"");

            assertThat(response.status()).isEqualTo(304);
            assertThat(response.headers("vary")).containsExactly("Accept-Encoding");
            assertThat(response.headers("etag")).containsExactly("W/\"a\"");
            assertThat(response.headers("x-other")).containsExactly("1");
            assertThat(response.headers("content-encoding")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void responseToHeadHasNoWrongLength(HttpVersion version) throws Exception {
        NamedPolicy policy = gzip();
        try (TestBackend backend = TestBackend.playing(Script.answer(
                        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5000\r\nETag: \"a\"\r\n\r\n"));
                TestBalancer balancer = before(backend, policy).start()) {
            ReceivedResponseText compressible = version.fetch(balancer, "HEAD", "accept-encoding", "gzip");
            ReceivedResponseText plain = version.fetch(balancer, "HEAD");

            assertThat(compressible.headers("content-length")).isEmpty();
            assertThat(compressible.headers("etag")).containsExactly("W/\"a\"");
            assertThat(compressible.headers("vary")).containsExactly("Accept-Encoding");
            assertThat(plain.headers("content-length")).containsExactly("5000");
            assertThat(plain.headers("vary")).containsExactly("Accept-Encoding");
            assertThat(count(policy, CompressionOutcome.BODILESS)).isOne();
        }
    }

    @Test
    void clientOfHttp10GetsUncompressedBody() throws Exception {
        try (TestBackend backend = TestBackend.playing(answer("Content-Type: text/plain\r\n", TEXT));
                TestBalancer balancer = before(backend, gzip()).start();
                RawClient client = balancer.client()) {
            RawResponse response = client.send("GET / HTTP/1.0\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n")
                    .read();

            assertThat(response.header("Content-Encoding")).isNull();
            assertThat(response.header("Vary")).isEqualTo("Accept-Encoding");
            assertThat(response.body()).isEqualTo(TEXT);
        }
    }

    @Test
    void pipelinedRequestsGetTheirResponsesInOrder() throws Exception {
        String other = text(30_000);
        try (TestBackend backend = TestBackend.playing(
                        answer("Content-Type: text/plain\r\n", TEXT),
                        answer("Content-Type: image/png\r\n", "image"),
                        answer("Content-Type: text/plain\r\n", other));
                TestBalancer balancer = before(backend, gzip()).start();
                RawClient client = balancer.client()) {
            client.send(HttpVersion.request("GET", "Accept-Encoding", "gzip").repeat(3));

            List<String> bodies = List.of(read(client), read(client), read(client));

            assertThat(bodies).containsExactly(TEXT, "image", other);
        }
    }

    private static String read(RawClient client) {
        RawResponse response = client.read();
        List<String> head = List.of(response.head().split("\r\n"));
        return new ReceivedResponseText(response.status(), head, response.body(), List.of()).text();
    }

    @ParameterizedTest
    @EnumSource
    void retriedRequestIsCompressedOnce(HttpVersion version) throws Exception {
        NamedPolicy policy = gzip();
        try (TestBackend broken = TestBackend.playing(Script.answerAndReset(""));
                TestBackend backend = TestBackend.playing(answer("Content-Type: text/plain\r\n", TEXT));
                TestBalancer balancer = before(broken, policy).backend(backend).start()) {
            for (int i = 0; i < 2; i++) {
                ReceivedResponseText response = version.fetch(balancer, "GET", "accept-encoding", "gzip");

                assertThat(response.text()).isEqualTo(TEXT);
                assertThat(response.headers("vary")).hasSize(1);
            }
            assertThat(count(policy, CompressionOutcome.COMPRESSED)).isEqualTo(2);
            assertThat(broken.requests()).isNotEmpty();
        }
    }

    @Test
    void dryRunCompressesNothing() throws Exception {
        NamedPolicy policy = gzip();
        NamedPolicy dry = new NamedPolicy("pack", "compress", policy.policy(), /* dryRun= */ true, policy.counters());
        try (TestBackend backend = TestBackend.playing(answer("Content-Type: text/plain\r\n", TEXT));
                TestBalancer balancer = before(backend, dry).start()) {
            ReceivedResponseText response = HttpVersion.HTTP_1.fetch(balancer, "GET", "accept-encoding", "gzip");

            assertThat(response.isCompressed()).isFalse();
            assertThat(response.headers("vary")).isEmpty();
        }
    }
}
