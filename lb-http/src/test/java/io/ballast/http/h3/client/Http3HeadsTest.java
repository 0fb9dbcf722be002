package io.ballast.http.h3.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h3.testing.Http3Answer;
import io.ballast.http.h3.testing.Http3Client;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.TestCertificate;
import io.netty.handler.codec.http3.DefaultHttp3Headers;
import io.netty.handler.codec.http3.Http3Headers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the heads that must be rejected (RFC 9114 sections 4.1 to 4.3). */
class Http3HeadsTest {

    private static final String[] GOOD = {":method", "GET", ":scheme", "https", ":authority", "a", ":path", "/"};

    @TempDir
    private static Path directory;

    private static TestBalancer start(TestBackend backend) throws Exception {
        return BalancerSetup.on(TransportKind.NIO)
                .tls(ListenerTls.of(TestCertificate.create().write(directory)))
                .http3()
                .backend(backend)
                .start();
    }

    static Stream<Arguments> malformedHeads() {
        return Stream.of(
                attempt("line end in a value", with("x", "1\r\nEvil: 1")),
                attempt("LF in a value", with("x", "1\nEvil: 1")),
                attempt("NUL in a value", with("x", "1\0")),
                attempt("blank before a value", with("x", " 1")),
                attempt("line end in a name", with("x: 1\r\nevil", "1")),
                attempt("colon in a name", with("x:", "1")),
                attempt("blank in a name", with("x y", "1")),
                attempt("empty name", with("", "1")),
                attempt("capital letter in a name", with("Xy", "1")),
                attempt("connection", with("connection", "close")),
                attempt("keep-alive", with("keep-alive", "1")),
                attempt("proxy-connection", with("proxy-connection", "close")),
                attempt("upgrade", with("upgrade", "websocket")),
                attempt("transfer-encoding", with("transfer-encoding", "chunked")),
                attempt("te: gzip", with("te", "gzip")),
                attempt("another host", with("host", "b")),
                attempt("doubled path", with(":path", "/b")),
                attempt("doubled method", with(":method", "POST")),
                attempt("unknown pseudo field", with(":x", "1")),
                attempt("pseudo field of responses", with(":status", "200")),
                attempt("extended CONNECT", with(":protocol", "websocket")),
                attempt("no method", fields(":scheme", "https", ":path", "/", ":authority", "a")),
                attempt("no scheme", fields(":method", "GET", ":path", "/", ":authority", "a")),
                attempt("no path", fields(":method", "GET", ":scheme", "https", ":authority", "a")),
                attempt("no authority", fields(":method", "GET", ":scheme", "https", ":path", "/")),
                attempt("no pseudo field", fields("x", "1")),
                attempt("empty path", fields(":method", "GET", ":scheme", "https", ":authority", "a", ":path", "")),
                attempt("path with a line end", path("/\r\nEvil: 1")),
                attempt("path with a blank", path("/ HTTP/1.1")),
                attempt("path without slash", path("x")),
                attempt("path that is a URI with another authority", path("https://b/")),
                attempt("CONNECT with a path", fields(":method", "CONNECT", ":scheme", "https", ":path", "/")));
    }

    private static Arguments attempt(String name, Http3Headers fields) {
        return Arguments.of(name, fields);
    }

    private static Http3Headers with(String... more) {
        return fields(Stream.of(GOOD, more).flatMap(Stream::of).toArray(String[]::new));
    }

    private static Http3Headers path(String path) {
        return fields(":method", "GET", ":scheme", "https", ":authority", "a", ":path", path);
    }

    private static Http3Headers fields(String... pairs) {
        Http3Headers fields = new DefaultHttp3Headers(/* validate= */ false);
        for (int i = 0; i < pairs.length; i += 2) {
            fields.add(pairs[i], pairs[i + 1]);
        }
        return fields;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformedHeads")
    void malformedHeadReachesNoBackend(String name, Http3Headers fields) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend);
                Http3Client client = Http3Client.connect(balancer.port())) {
            Http3Answer answer = client.open().head(fields).end().read();

            assertThat(answer.isFailed()).isTrue();
            assertThat(answer.statuses()).isEmpty();
            assertThat(backend.requests()).isEmpty();
            balancer.await("it is counted", () -> balancer.count(ListenerCounter.REQUESTS_COMPLETED) == 1);
            try (Http3Client other = Http3Client.connect(balancer.port())) {
                assertThat(other.get("/").read().body()).isEqualTo("hello");
            }
        }
    }

    @Test
    void bodyMustHaveAnnouncedLength() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend);
                Http3Client client = Http3Client.connect(balancer.port())) {
            Http3Answer longer = client.open()
                    .head(Http3Client.fields("POST", "/", "content-length", "2"))
                    .data("abc".getBytes(StandardCharsets.US_ASCII))
                    .end()
                    .read();
            Http3Answer shorter = client.open()
                    .head(Http3Client.fields("POST", "/", "content-length", "4"))
                    .data("abc".getBytes(StandardCharsets.US_ASCII))
                    .end()
                    .read();

            assertThat(longer.isFailed()).isTrue();
            assertThat(shorter.isFailed()).isTrue();
            assertThat(backend.requests()).isEmpty();
        }
    }

    @Test
    void tooLargeHeadIsAnswered() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend);
                Http3Client client = Http3Client.connect(balancer.port())) {
            int limit = balancer.listener().config().limits().headBytes();
            Http3Answer answer = client.open()
                    .head(Http3Client.fields("GET", "/", "x", "y".repeat(2 * limit)))
                    .end()
                    .read();

            assertThat(answer.failure()).isNull();
            assertThat(answer.status()).isEqualTo(431);
            assertThat(backend.requests()).isEmpty();
        }
    }

    @Test
    void forbiddenTrailersResetTheStream() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend);
                Http3Client client = Http3Client.connect(balancer.port())) {
            Http3Answer answer = client.open()
                    .head(Http3Client.fields("POST", "/"))
                    .data("abc".getBytes(StandardCharsets.US_ASCII))
                    .head(fields("content-length", "3"))
                    .end()
                    .read();

            assertThat(answer.isFailed()).isTrue();
        }
    }
}
