package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Tests HTTP/2 requests and responses with HTTP/1.1 backends. */
@SuppressWarnings("StringConcatToTextBlock") // lines of HTTP end with CRLF
class ExchangesTest {

    @EachTransport
    void getIsAnswered(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {

            Http2Response response = client.read(client.get("/"));

            assertThat(response.isComplete()).isTrue();
            assertThat(response.body()).isEqualTo("hello");
            assertThat(response.header("content-length")).isEqualTo("5");
            assertThat(response.header("date")).isNotNull();
            assertThat(balancer.count(ListenerCounter.HTTP2_CONNECTIONS)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_OPENED)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.REQUESTS)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.REQUESTS_COMPLETED)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.RESPONSES_2XX)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.ERRORS)).isZero();
        }
    }

    @EachTransport
    void bodiesOfAnyLengthAreRelayed(TransportKind transport) throws Exception {
        byte[] body = Bodies.random(10 * 1024 * 1024, 1);
        try (TestBackend backend = TestBackend.playing(Bodies.back());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/", "content-length", String.valueOf(body.length));
            client.upload(stream, /* ends= */ true, body);

            assertThat(Bodies.sum(client.read(stream).bytes())).isEqualTo(Bodies.sum(body));
        }
    }

    @Test
    void bodyOfUnknownLengthIsChunked() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/");
            client.upload(stream, /* ends= */ true, Bodies.bytes("hello"));

            assertThat(client.read(stream).status()).isEqualTo(200);
            assertThat(backend.nextRequest())
                    .containsIgnoringCase("\r\ntransfer-encoding: chunked\r\n")
                    .doesNotContainIgnoringCase("content-length")
                    .endsWith("\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
        }
    }

    @Test
    void lateEmptyBodyIsSentAsLastChunk() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok(""));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/");
            balancer.await("the head is with the backend", () -> backend.bytes() > 0);
            client.send(io.ballast.http.h2.testing.FrameBytes.data(stream, /* ends= */ true));

            assertThat(client.read(stream).status()).isEqualTo(200);
            assertThat(backend.nextRequest()).endsWith("\r\n\r\n0\r\n\r\n");
        }
    }

    @EachTransport
    void longBodyOfUnknownLengthIsUnchanged(TransportKind transport) throws Exception {
        byte[] body = Bodies.random(3_000_000, 2);
        try (TestBackend backend = TestBackend.playing(Bodies.back());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/");
            client.upload(stream, /* ends= */ true, body);

            String echoed = client.read(stream).body(); // the body still has its chunked coding
            assertThat(Bodies.sum(Bodies.dechunk(echoed))).isEqualTo(Bodies.sum(body));
        }
    }

    @Test
    void headResponseHasNoBody() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            Http2Response response = client.read(client.request(true, "HEAD", "/"));

            assertThat(response.isComplete()).isTrue();
            assertThat(response.header("content-length")).isEqualTo("5");
            assertThat(response.body()).isEmpty();
            assertThat(client.read(client.request(true, "HEAD", "/")).status()).isEqualTo(200);
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    @Test
    void bodilessStatusesHaveNoBody() throws Exception {
        try (TestBackend backend = TestBackend.playing(
                        Script.answer("HTTP/1.1 204 No Content\r\n\r\n"),
                        Script.answer("HTTP/1.1 304 Not Modified\r\nETag: x\r\nContent-Length: 7\r\n\r\n"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            Http2Response first = client.read(client.get("/"));
            Http2Response second = client.read(client.get("/"));

            assertThat(first.status()).isEqualTo(204);
            assertThat(first.isComplete()).isTrue();
            assertThat(first.header("content-length")).isNull();
            assertThat(second.status()).isEqualTo(304);
            assertThat(second.isComplete()).isTrue();
            assertThat(second.header("etag")).isEqualTo("x");
        }
    }

    @Test
    void interimResponsesAreForwarded() throws Exception {
        Script hints = Script.answer("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nConnection: x\r\n\r\n"
                + "HTTP/1.1 103 Early Hints\r\nLink: </b>\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        try (TestBackend backend = TestBackend.playing(hints);
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            Http2Response response = client.read(client.get("/"));

            assertThat(response.blocks()).hasSize(3);
            assertThat(response.blocks().get(0)).containsExactly(":status: 103", "link: </a>");
            assertThat(response.blocks().get(1)).containsExactly(":status: 103", "link: </b>");
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("ok");
            assertThat(balancer.count(ListenerCounter.RESPONSES_1XX)).isEqualTo(2);
        }
    }

    @Test
    void waitingClientGetsContinue() throws Exception {
        Script careful = connection -> {
            String head = connection.readHead();
            connection.send("HTTP/1.1 100 Continue\r\n\r\n");
            String body = connection.readBody(head);
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
        };
        try (TestBackend backend = TestBackend.playing(careful);
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/", "expect", "100-continue", "content-length", "4");
            client.await("100", () -> client.response(stream).status() == 100);
            client.upload(stream, /* ends= */ true, Bodies.bytes("body"));

            assertThat(client.read(stream).body()).isEqualTo("body");
        }
    }

    @Test
    void chunkedResponseBecomesDataAndTrailers() throws Exception {
        Script chunks = Script.answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
                + "5;a=b\r\nhello\r\n1\r\n!\r\n0\r\nX-Sum:  abc \r\nY: \r\n\r\n");
        try (TestBackend backend = TestBackend.playing(chunks);
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            for (int i = 0; i < 3; i++) {
                Http2Response response = client.read(client.get("/", "te", "trailers"));

                assertThat(response.isComplete()).isTrue();
                assertThat(response.body()).isEqualTo("hello!");
                assertThat(response.header("transfer-encoding")).isNull();
                assertThat(response.trailers()).containsExactly("x-sum: abc", "y: ");
            }
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    @Test
    void framingTrailersAreDropped() throws Exception {
        Script bad = Script.answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "1\r\nx\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n");
        try (TestBackend backend = TestBackend.playing(bad);
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            Http2Response response = client.read(client.get("/"));

            assertThat(response.status()).isEqualTo(502); // the response arrived at once, so a 502 was still possible
            assertThat(response.trailers()).isEmpty();
        }
    }

    @Test
    void connectionDelimitedResponseEndsStream() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answerAndClose("HTTP/1.1 200 OK\r\n\r\nto the end"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            Http2Response response = client.read(client.get("/"));

            assertThat(response.isComplete()).isTrue();
            assertThat(response.body()).isEqualTo("to the end");
        }
    }

    @Test
    void truncatedResponseResetsStream() throws Exception {
        Script cut = Script.answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
        try (TestBackend backend = TestBackend.playing(cut);
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            Http2Response response = client.read(client.get("/"));

            assertThat(response.resetCode()).isPositive();
            assertThat(client.read(client.get("/")).resetCode()).isPositive();
        }
    }

    @Test
    void hopByHopFieldsAreRemoved() throws Exception {
        Script answer = Script.answer("HTTP/1.1 200 OK\r\nConnection: X-Hop, keep-alive\r\nX-Hop: 1\r\n"
                + "Keep-Alive: timeout=5\r\nProxy-Connection: keep-alive\r\nUpgrade: h2c\r\nX-Kept: 1\r\n"
                + "Content-Length: 0\r\n\r\n");
        try (TestBackend backend = TestBackend.playing(answer);
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            List<String> head = client.read(client.get("/")).head();

            assertThat(head)
                    .contains("x-kept: 1", "content-length: 0")
                    .noneMatch(line -> line.matches("(connection|x-hop|keep-alive|proxy-connection|upgrade): .*"))
                    .allMatch(line -> line.substring(0, line.indexOf(':', 1))
                            .equals(line.substring(0, line.indexOf(':', 1)).toLowerCase(java.util.Locale.ROOT)));
        }
    }

    @Test
    void earlyResponseIsForwarded() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Script early = connection -> {
            connection.readHead();
            connection.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno");
            connection.await(done).close();
        };
        try (TestBackend backend = TestBackend.playing(early);
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/");
            Http2Response response = client.read(stream);
            done.countDown();

            assertThat(response.status()).isEqualTo(403);
            assertThat(response.body()).isEqualTo("no");
            client.await("a request to stop", () -> client.count(io.ballast.http.h2.wire.Frame.RST_STREAM) == 1);
        }
    }

    private static TestBalancer balancer(TestBackend backend) throws Exception {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).loops(1).start();
    }
}
