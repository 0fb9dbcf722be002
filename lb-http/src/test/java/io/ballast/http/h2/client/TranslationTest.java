package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the conversion of HTTP/2 heads to HTTP/1.1, and heads that must be rejected (RFC 9113 section 8). */
class TranslationTest {

    private static final String[] GOOD = {":method", "GET", ":scheme", "http", ":path", "/", ":authority", "a"};

    static Stream<Arguments> attempts() {
        return Stream.of(
                attempt("line end in a value", with("x", "1\r\nEvil: 1")),
                attempt("CR in a value", with("x", "1\rEvil: 1")),
                attempt("LF in a value", with("x", "1\nEvil: 1")),
                attempt("NUL in a value", with("x", "1\0")),
                attempt("blank before a value", with("x", " 1")),
                attempt("tab behind a value", with("x", "1\t")),
                attempt("line end in a name", with("x: 1\r\nevil", "1")),
                attempt("colon in a name", with("x:", "1")),
                attempt("blank in a name", with("x y", "1")),
                attempt("NUL in a name", with("x\0", "1")),
                attempt("empty name", with("", "1")),
                attempt("high byte in a name", with("x\u00e4", "1")),
                attempt("capital letter in a name", with("Xy", "1")),
                attempt("capital letter in host", with("Host", "a")),
                attempt("connection", with("connection", "close")),
                attempt("keep-alive", with("keep-alive", "1")),
                attempt("proxy-connection", with("proxy-connection", "close")),
                attempt("upgrade", with("upgrade", "websocket")),
                attempt("transfer-encoding", with("transfer-encoding", "chunked")),
                attempt("te: gzip", with("te", "gzip")),
                attempt("te: trailers and more", with("te", "trailers, gzip")),
                attempt("another host", with("host", "b")),
                attempt("one host of two is another", with("host", "a", "host", "b")),
                attempt("late pseudo field", with("x", "1", ":path", "/b")),
                attempt("doubled path", with(":path", "/b")),
                attempt("doubled method", with(":method", "POST")),
                attempt("doubled authority", with(":authority", "a")),
                attempt("unknown pseudo field", with(":x", "1")),
                attempt("pseudo field of responses", with(":status", "200")),
                attempt("cookie with a line end", with("cookie", "a=1\r\nEvil: 1")),
                attempt("no method", of(":scheme", "http", ":path", "/", ":authority", "a")),
                attempt("no scheme", of(":method", "GET", ":path", "/", ":authority", "a")),
                attempt("no path", of(":method", "GET", ":scheme", "http", ":authority", "a")),
                attempt("no pseudo field", of("x", "1")),
                attempt("nothing", of()),
                attempt("empty path", of(":method", "GET", ":scheme", "http", ":path", "", ":authority", "a")),
                attempt("empty method", of(":method", "", ":scheme", "http", ":path", "/", ":authority", "a")),
                attempt("path with a blank", path("/ HTTP/1.1\r\nEvil: 1")),
                attempt("path with a line end", path("/\r\nEvil: 1")),
                attempt("path with NUL", path("/\0")),
                attempt("path with a fragment", path("/#x")),
                attempt("path without slash", path("x")),
                attempt("path that is a URI with another authority", path("http://b/")),
                attempt("method with a blank", of(":method", "GET /x", ":scheme", "http", ":path", "/")),
                attempt("method with a line end", of(":method", "GET\r\n", ":scheme", "http", ":path", "/")),
                attempt("authority with a line end", authority("a\r\nEvil: 1")),
                attempt("authority with a blank", authority("a b")),
                attempt("CONNECT with a path", of(":method", "CONNECT", ":scheme", "http", ":path", "/")));
    }

    private static Arguments attempt(String name, String[] fields) {
        return Arguments.of(name, fields);
    }

    private static String[] of(String... fields) {
        return fields;
    }

    private static String[] with(String... more) {
        return Stream.of(GOOD, more).flatMap(Stream::of).toArray(String[]::new);
    }

    private static String[] path(String path) {
        return of(":method", "GET", ":scheme", "http", ":path", path, ":authority", "a");
    }

    private static String[] authority(String authority) {
        return of(":method", "GET", ":scheme", "http", ":path", "/", ":authority", authority);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("attempts")
    void malformedRequestIsReset(String name, String[] fields) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int bad = client.newStream();
            client.send(FrameBytes.headers(bad, /* ends= */ true, FrameBytes.block(fields)));

            assertThat(client.read(bad).resetCode()).as(name).isEqualTo(ErrorCode.PROTOCOL_ERROR.ordinal());
            assertThat(client.read(client.get("/good")).body()).startsWith("GET /good HTTP/1.1\r\n");
            assertThat(backend.requests()).hasSize(1);
        }
    }

    static Stream<Arguments> answered() {
        return Stream.of(
                Arguments.of(of(":method", "GET", ":scheme", "http", ":path", "/"), 400),
                Arguments.of(with("content-length", "5,5"), 400),
                Arguments.of(with("content-length", "+5"), 400),
                Arguments.of(with("content-length", "-1"), 400),
                Arguments.of(with("content-length", "0x1"), 400),
                Arguments.of(with("content-length", "0", "content-length", "1"), 400),
                Arguments.of(with("content-length", "99999999999999999999"), 400),
                Arguments.of(authority("user@a"), 400),
                Arguments.of(authority("a,b"), 400),
                Arguments.of(authority("a:99999"), 400),
                Arguments.of(authority("[a"), 400),
                Arguments.of(path("*"), 400),
                Arguments.of(of(":method", "CONNECT", ":authority", "a:1"), 501),
                Arguments.of(path("/" + "x".repeat(40_000)), 431));
    }

    @ParameterizedTest
    @MethodSource("answered")
    void badRequestGetsResponse(String[] fields, int status) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int bad = client.newStream();
            byte[] block = FrameBytes.block(fields);
            int first = Math.min(block.length, 16_000);
            client.send(FrameBytes.frame(1, block.length == first ? 5 : 1, bad, Arrays.copyOf(block, first)));
            for (int at = first; at < block.length; at += 16_000) {
                int to = Math.min(block.length, at + 16_000);
                client.send(FrameBytes.frame(9, to == block.length ? 4 : 0, bad, Arrays.copyOfRange(block, at, to)));
            }

            assertThat(client.read(bad).status()).isEqualTo(status);
            assertThat(client.read(client.get("/good")).status()).isEqualTo(200);
            assertThat(backend.requests()).hasSize(1);
        }
    }

    @Test
    void headIsTranslated() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            String sent = client.read(client.get(
                            "/a?b=c",
                            "host",
                            "A",
                            "cookie",
                            "a=1",
                            "x",
                            "",
                            "cookie",
                            "b=2",
                            "te",
                            "trailers",
                            "y",
                            "\u00e4 \t1"))
                    .body();

            assertThat(sent.lines())
                    .containsExactlyInAnyOrder(
                            "GET /a?b=c HTTP/1.1",
                            "host: a",
                            "x: ",
                            "y: \u00e4 \t1",
                            "cookie: a=1; b=2",
                            "te: trailers",
                            "Connection: TE",
                            "");
        }
    }

    @Test
    void hostReplacesMissingAuthority() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.newStream();
            client.send(FrameBytes.headers(
                    stream, true, FrameBytes.block(":method", "GET", ":scheme", "http", ":path", "/", "host", "b")));

            assertThat(client.read(stream).body().lines()).contains("host: b");
        }
    }

    @Test
    void twoHostsWithoutAuthorityAreRejected() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.newStream();
            byte[] block =
                    FrameBytes.block(":method", "GET", ":scheme", "http", ":path", "/", "host", "b", "host", "b");
            client.send(FrameBytes.headers(stream, true, block));

            assertThat(client.read(stream).status()).isEqualTo(400);
        }
    }

    @Test
    void starTargetRequiresOptions() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {

            Http2Response response = client.read(client.request(true, "OPTIONS", "*"));

            assertThat(response.body()).startsWith("OPTIONS * HTTP/1.1\r\n");
        }
    }

    private static TestBalancer balancer(TestBackend backend) throws Exception {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).loops(1).start();
    }
}
