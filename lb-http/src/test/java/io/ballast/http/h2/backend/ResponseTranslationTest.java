package io.ballast.http.h2.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.h2.wire.Frame;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.TestBalancer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the conversion of HTTP/2 responses for clients, and the rejection of invalid responses. */
class ResponseTranslationTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private static byte[] head(boolean ends, String... fields) {
        return FrameBytes.headers(0, ends, FrameBytes.block(fields));
    }

    private static byte[] data(boolean ends, String text) {
        return FrameBytes.data(0, ends, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static RawResponse answer(byte[]... frames) throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.frames(frames));
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            RawResponse first = client.send(GET).read();
            assertThat(client.send(GET).read().undated()).isEqualTo(first.undated());
            assertThat(backend.connections()).isEqualTo(1);
            return first;
        }
    }

    private static Http2Response answer2(byte[]... frames) throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.frames(frames));
                TestBalancer balancer = Http2Balancers.start(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            return client.read(client.get("/"));
        }
    }

    @Test
    void bodyOfUnknownLengthBecomesChunkedWithTrailers() throws Exception {
        RawResponse response = answer(
                head(false, ":status", "200", "x-own", "1"),
                data(false, "abc"),
                data(false, ""),
                data(false, "defghijklmnopqr"),
                head(true, "x-sum", "7"));

        assertThat(response.head()).startsWith("HTTP/1.1 200 ").contains("x-own: 1\r\n");
        assertThat(response.rawBody()).isEqualTo("3\r\nabc\r\nf\r\ndefghijklmnopqr\r\n0\r\nx-sum: 7\r\n\r\n");
    }

    @Test
    void bodyOfKnownLengthKeepsLength() throws Exception {
        RawResponse response =
                answer(head(false, ":status", "404", "content-length", "5"), data(false, "ab"), data(true, "cde"));

        assertThat(response.status()).isEqualTo(404);
        assertThat(response.header("Transfer-Encoding")).isNull();
        assertThat(response.rawBody()).isEqualTo("abcde");
    }

    @Test
    void trailersAfterKnownLengthAreDropped() throws Exception {
        assertThat(answer(
                                head(false, ":status", "200", "content-length", "2"),
                                data(false, "ab"),
                                head(true, "x-sum", "7"))
                        .rawBody())
                .isEqualTo("ab");
    }

    @Test
    void endOfStreamInHeadMeansEmptyBody() throws Exception {
        assertThat(answer(head(true, ":status", "200")).header("Content-Length"))
                .isEqualTo("0");
        assertThat(answer(head(false, ":status", "200"), data(true, "")).body()).isEmpty();
        assertThat(answer(head(false, ":status", "200"), head(true, "grpc-status", "0"))
                        .rawBody())
                .isEqualTo("0\r\ngrpc-status: 0\r\n\r\n");
    }

    @Test
    void bodilessStatusHasNoBody() throws Exception {
        for (String status : List.of("204", "304")) {
            assertThat(answer(head(true, ":status", status)).header("Content-Length"))
                    .isNull();
            assertThat(answer(head(false, ":status", status), data(true, "")).header("Transfer-Encoding"))
                    .isNull();
        }
        assertThat(answer(head(true, ":status", "304", "content-length", "10")).body())
                .isEmpty();
    }

    @Test
    void responseToHead() throws Exception {
        for (byte[][] frames : List.of(
                new byte[][] {head(true, ":status", "200", "content-length", "10")},
                new byte[][] {head(false, ":status", "200", "content-length", "10"), data(true, "")},
                new byte[][] {head(false, ":status", "200", "content-length", "10"), head(true, "x-sum", "7")})) {
            try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.frames(frames));
                    TestBalancer balancer = Http2Balancers.start(backend);
                    Http2Client second = Http2Client.connect(balancer.port());
                    RawClient client = balancer.client()) {
                for (int i = 0; i < 2; i++) {
                    client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
                    assertThat(client.readToHead().header("Content-Length")).isEqualTo("10");
                }
                Http2Response response = second.read(second.request(true, "HEAD", "/"));
                assertThat(response.isComplete()).isTrue();
                assertThat(response.header("content-length")).isEqualTo("10");
            }
        }
    }

    @Test
    void interimResponseIsForwardedImmediately() throws Exception {
        CountDownLatch hinted = new CountDownLatch(1);
        Http2Script hints = Http2Script.serving((connection, request) -> {
            connection
                    .head(request, false, ":status", "103", "link", "</a.css>")
                    .await(hinted);
            connection.answer(request, "body");
        });
        try (Http2TestBackend backend = Http2TestBackend.playing(hints);
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).readHead()).startsWith("HTTP/1.1 103 ").contains("link: </a.css>\r\n");
            hinted.countDown();
            assertThat(client.read().body()).isEqualTo("body");
        }
    }

    @Test
    void interimResponsesKeepOrder() throws Exception {
        Http2Response response = answer2(
                head(false, ":status", "103", "link", "</a.css>"),
                head(false, ":status", "103", "link", "</b.css>"),
                head(false, ":status", "200"),
                data(true, "body"));

        assertThat(response.blocks().get(0)).contains(":status: 103", "link: </a.css>");
        assertThat(response.blocks().get(1)).contains(":status: 103", "link: </b.css>");
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("body");
    }

    @Test
    void http10ClientReadsUntilClose() throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(
                        Http2Script.frames(head(false, ":status", "200"), data(false, "ab"), head(true, "x", "y")));
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            String all = client.send("GET / HTTP/1.0\r\n\r\n").readToEnd();

            assertThat(all).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\nab").doesNotContain("chunked");
        }
    }

    @Test
    void http2ClientGetsBodyAndTrailers() throws Exception {
        Http2Response response = answer2(
                head(false, ":status", "200", "content-type", "application/grpc"),
                data(false, "abc"),
                head(true, "grpc-status", "0", "grpc-message", "ok"));

        assertThat(response.isComplete()).isTrue();
        assertThat(response.body()).isEqualTo("abc");
        assertThat(response.header("transfer-encoding")).isNull();
        assertThat(response.trailers()).containsExactly("grpc-status: 0", "grpc-message: ok");
    }

    @Test
    void paddingAndContinuationsAreIgnored() throws Exception {
        byte[] block = FrameBytes.block(":status", "200", "x-own", "1");
        byte[] padded = FrameBytes.join(
                new byte[] {3, 0, 0, 0, 0, 9}, java.util.Arrays.copyOf(block, 10), new byte[] {0, 0, 0});
        byte[] rest = java.util.Arrays.copyOfRange(block, 10, block.length);

        RawResponse response = answer(
                FrameBytes.frame(Frame.HEADERS, Frame.PADDED | Frame.PRIORITIZED, 0, padded),
                FrameBytes.frame(Frame.CONTINUATION, 0, 0),
                FrameBytes.frame(Frame.CONTINUATION, Frame.END_HEADERS, 0, rest),
                FrameBytes.frame(0x2a, 0xff, 0, new byte[3]),
                FrameBytes.frame(Frame.DATA, Frame.PADDED, 0, (byte) 2, (byte) 'a', (byte) 0, (byte) 0),
                FrameBytes.frame(Frame.DATA, Frame.PADDED | Frame.END_STREAM, 0, (byte) 0));

        assertThat(response.header("x-own")).isEqualTo("1");
        assertThat(response.rawBody()).isEqualTo("1\r\na\r\n0\r\n\r\n");
    }

    static Stream<List<byte[]>> badHeads() {
        String[][] heads = {
            {":status", "200", "x", "a\r\nset-cookie: evil=1"},
            {":status", "200", "x", "a\nb"},
            {":status", "200", "x", "a\rb"},
            {":status", "200", "x", "a\0b"},
            {":status", "200", "x", " a"},
            {":status", "200", "x\r\ny", "a"},
            {":status", "200", "x:y", "a"},
            {":status", "200", "x y", "a"},
            {":status", "200", "", "a"},
            {":status", "200", "X-Upper", "a"},
            {":status", "200", "connection", "close"},
            {":status", "200", "transfer-encoding", "chunked"},
            {":status", "200", "keep-alive", "5"},
            {":status", "200", "proxy-connection", "close"},
            {":status", "200", "upgrade", "h2c"},
            {":status", "200", "te", "gzip"},
            {"x", "y"},
            {"x", "y", ":status", "200"},
            {":status", "200", ":status", "200"},
            {":status", "200", ":path", "/"},
            {":method", "GET", ":status", "200"},
            {":status", "2 0"},
            {":status", "20"},
            {":status", "2000"},
            {":status", "099"},
            {":status", "1000"},
            {":status", "20\r"},
            {":status", "101"},
            {":status", ""},
            {":status", "200", "content-length", "x"},
            {":status", "200", "content-length", "-1"},
            {":status", "200", "content-length", "1, 2"},
            {":status", "200", "content-length", "3", "content-length", "4"},
            {":status", "200", "content-length", "99999999999999999999"},
        };
        Stream<List<byte[]>> open =
                Stream.of(heads).map(fields -> List.of(head(false, fields), data(false, "abc"), data(true, "")));
        return Stream.concat(
                open,
                Stream.of(
                        List.of(head(true, ":status", "103")),
                        List.of(head(true, ":status", "200", "content-length", "1")),
                        List.of(data(true, "x")),
                        List.of(head(false))));
    }

    @ParameterizedTest
    @MethodSource("badHeads")
    void malformedHeadCauses502AndKeepsConnection(List<byte[]> frames) throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.frames(frames.toArray(new byte[0][])));
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client();
                RawClient another = balancer.client()) {
            RawResponse first = client.send(GET).read();
            RawResponse second = another.send(GET).read();

            assertThat(first.status()).isEqualTo(502);
            assertThat(first.raw()).doesNotContain("evil", "abc");
            assertThat(second.status()).isEqualTo(502);
            assertThat(backend.connections()).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.FAILED_BAD_RESPONSE)).isEqualTo(2);
        }
    }

    static Stream<List<byte[]>> badEnds() {
        byte[] unknown = head(false, ":status", "200");
        byte[] three = head(false, ":status", "200", "content-length", "3");
        byte[] huge = head(false, ":status", "200", "content-length", "5000000000");
        return Stream.of(
                List.of(three, data(true, "ab")),
                List.of(three, data(false, "ab"), data(true, "")),
                List.of(three, data(true, "abcd")),
                List.of(three, data(false, "abc"), data(true, "d")),
                List.of(three, data(false, "ab"), head(true, "x", "y")),
                List.of(three, head(true, "x", "y")),
                List.of(huge, data(true, "ab")),
                List.of(huge, data(false, "ab"), head(true, "x", "y")),
                List.of(unknown, data(false, "ab"), head(true, ":status", "200")),
                List.of(unknown, data(false, "ab"), head(true, ":path", "/")),
                List.of(unknown, data(false, "ab"), head(true, "x", "a\r\n\r\nHTTP/1.1 200 evil")),
                List.of(unknown, data(false, "ab"), head(true, "X", "y")),
                List.of(unknown, data(false, "ab"), head(true, "transfer-encoding", "chunked")),
                List.of(unknown, data(false, "ab"), head(false, "x", "y")),
                List.of(unknown, data(false, "ab"), FrameBytes.reset(0, 2)),
                List.of(unknown, data(false, "ab"), FrameBytes.reset(0, 7)),
                List.of(unknown, data(false, "ab"), FrameBytes.reset(0, 0)));
    }

    @ParameterizedTest
    @MethodSource("badEnds")
    void malformedBodyIsCutAndConnectionIsKept(List<byte[]> frames) throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.frames(frames.toArray(new byte[0][])));
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient first = balancer.client();
                Http2Client second = Http2Client.connect(balancer.port())) {
            String all = first.send(GET + GET).readToEnd();
            Http2Response response = second.read(second.get("/"));

            // All data arrives at once, so the reset for the truncation may overtake the head.
            assertThat(all).doesNotContain("evil", "\r\n0\r\n");
            assertThat(all.indexOf("HTTP/1.1", 1)).as("a second response").isNegative();
            assertThat(response.isComplete()).isFalse();
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    @Test
    void bodyOfBodilessStatusIsDropped() throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(
                        Http2Script.frames(head(false, ":status", "204"), data(true, "HTTP/1.1 200 evil")));
                TestBalancer balancer = Http2Balancers.start(backend);
                RawClient client = balancer.client()) {
            assertThat(client.send(GET + GET).readToEnd()).doesNotContain("HTTP/1.1 200");
        }
    }
}
