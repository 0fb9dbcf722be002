package io.ballast.http.h2.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Request;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.TestBalancer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests the conversion of requests for HTTP/2 backends. */
@SuppressWarnings("StringConcatToTextBlock") // lines of HTTP end with CRLF
class RequestTranslationTest {

    private static Http2Request sent(String request) throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.ok(""));
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            client.send(request);
            Http2Request arrived = backend.nextRequest();
            if (request.startsWith("HEAD")) {
                client.readToHead();
            } else {
                client.read();
            }
            return arrived;
        }
    }

    @Test
    void hostBecomesAuthorityAndHopByHopFieldsAreRemoved() throws Exception {
        Http2Request arrived = sent(
                "GET /p?q=1 HTTP/1.1\r\nHost: shop.example:81\r\nX-Own: Kept \r\nConnection: close, X-Gone\r\n"
                        + "X-Gone: 1\r\nKeep-Alive: 5\r\nProxy-Connection: x\r\nUpgrade: h2c\r\nProxy-Authorization: y\r\n\r\n");

        assertThat(arrived.head())
                .startsWith(":method: GET", ":scheme: http", ":authority: shop.example:81", ":path: /p?q=1")
                .contains("x-own: Kept")
                .noneMatch(
                        line -> line.matches(
                                "(host|connection|x-gone|keep-alive|proxy-connection|upgrade|proxy-authorization|transfer-encoding):.*"));
        assertThat(arrived.head()).filteredOn(line -> line.startsWith(":")).hasSize(4);
        assertThat(arrived.isHeadOnly()).isTrue();
    }

    @Test
    void onlyTrailersOfTeIsKept() throws Exception {
        assertThat(sent("GET / HTTP/1.1\r\nHost: a\r\nConnection: TE\r\nTE: trailers\r\n\r\n")
                        .header("te"))
                .isEqualTo("trailers");
        assertThat(sent("GET / HTTP/1.1\r\nHost: a\r\nConnection: TE\r\nTE: gzip\r\n\r\n")
                        .header("te"))
                .isNull();
    }

    @Test
    void methodsKeepSpelling() throws Exception {
        for (String method : new String[] {"GET", "POST", "DELETE", "get", "Post", "PROPFIND"}) {
            assertThat(sent(method + " / HTTP/1.1\r\nHost: a\r\n\r\n").header(":method"))
                    .isEqualTo(method);
        }
    }

    @Test
    void translatesHeadAndServerWideOptions() throws Exception {
        assertThat(sent("HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n").head()).contains(":method: HEAD", ":path: /x");
        assertThat(sent("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").head()).contains(":method: OPTIONS", ":path: *");
        assertThat(sent("OPTIONS http://b HTTP/1.1\r\nHost: a\r\n\r\n").head()).contains(":authority: b", ":path: *");
    }

    @Test
    void http10RequestWithoutHostUsesBackendAddress() throws Exception {
        assertThat(sent("GET / HTTP/1.0\r\n\r\n").header(":authority")).startsWith("127.0.0.1:");
    }

    @Test
    void bodyOfKnownLength() throws Exception {
        Http2Request arrived = sent("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");

        assertThat(arrived.header("content-length")).isEqualTo("5");
        assertThat(arrived.body()).isEqualTo("hello");
        assertThat(arrived.trailers()).isEmpty();
        assertThat(sent("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
                        .isHeadOnly())
                .isTrue();
    }

    @Test
    void chunkedBodyBecomesDataAndTrailers() throws Exception {
        Http2Request arrived = sent("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3;ext=1\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 7 \r\n\r\n");

        assertThat(arrived.header("transfer-encoding")).isNull();
        assertThat(arrived.header("content-length")).isNull();
        assertThat(arrived.body()).isEqualTo("abcde");
        assertThat(arrived.trailers()).containsExactly("x-sum: 7");
        assertThat(sent("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
                        .body())
                .isEmpty();
    }

    @Test
    void malformedFirstChunkFailsOnlyItsExchange() throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.ok("fine"));
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient good = balancer.client();
                RawClient bad = balancer.client()) {
            assertThat(good.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read().body())
                    .isEqualTo("fine");

            bad.send("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");

            assertThat(bad.read().status()).isEqualTo(400);
            assertThat(good.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read().body())
                    .isEqualTo("fine");
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    @Test
    void http2BodyAndTrailersAreForwarded() throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.ok("fine"));
                TestBalancer balancer = Http2Balancers.start(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/rpc", "te", "trailers", "content-type", "application/grpc");
            client.send(
                    FrameBytes.data(stream, false, "body".getBytes(StandardCharsets.ISO_8859_1)),
                    FrameBytes.headers(stream, true, FrameBytes.block("x-sum", "9")));

            Http2Request arrived = backend.nextRequest();

            assertThat(arrived.head())
                    .contains(":authority: a", ":path: /rpc", "te: trailers", "content-type: application/grpc");
            assertThat(arrived.body()).isEqualTo("body");
            assertThat(arrived.trailers()).containsExactly("x-sum: 9");
            assertThat(client.read(stream).body()).isEqualTo("fine");
        }
    }

    @Test
    void expectContinueIsForwarded() throws Exception {
        Http2Script pending = connection -> {
            connection.begin();
            Http2Request request = connection.nextHead();
            connection.head(request, false, ":status", "100").await("the body", request::isEnded);
            connection
                    .answer(request, request.header("expect") + " " + request.body())
                    .readToEnd();
        };
        try (Http2TestBackend backend = Http2TestBackend.playing(pending);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");

            assertThat(client.readHead()).startsWith("HTTP/1.1 100 ");
            assertThat(client.send("ok").read().body()).isEqualTo("100-continue ok");
        }
    }

    @Test
    void headInManyFramesIsForwarded() throws Exception {
        String large = "v".repeat(7_000);
        Http2Request arrived = sent(
                "GET / HTTP/1.1\r\nHost: a\r\nX-1: " + large + "\r\nX-2: " + large + "\r\nX-3: " + large + "\r\n\r\n");

        assertThat(arrived.head()).contains("x-1: " + large, "x-2: " + large, "x-3: " + large);
    }
}
