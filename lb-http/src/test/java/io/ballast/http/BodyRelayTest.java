package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Tests that bodies are forwarded byte for byte in both directions, with any framing and segmentation. */
class BodyRelayTest {

    private static final int SEVERAL_MIB = 3 * 1024 * 1024 + 17;

    @EachTransport
    void longBodyWithLengthIsRelayedInBothDirections(TransportKind transport) throws Exception {
        String body = noise(SEVERAL_MIB);
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            String request = "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;

            client.send(oddPieces(request));

            assertThat(client.read().body().equals(request)).isTrue();
            assertThat(client.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n").read().body())
                    .startsWith("GET /b");
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    @EachTransport
    void longChunkedBodyIsRelayedInBothDirections(TransportKind transport) throws Exception {
        StringBuilder chunks = new StringBuilder();
        Random random = new Random(7);
        for (int size = 1; chunks.length() < SEVERAL_MIB; size = 1 + random.nextInt(100_000)) {
            String extension = random.nextInt(5) == 0 ? ";name=\"value\"" : "";
            chunks.append(Integer.toHexString(size)).append(extension).append("\r\n");
            chunks.append(noise(size)).append("\r\n");
        }
        chunks.append("000\r\nX-Checksum: 1\r\n\r\n");
        String response = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks;
        String request = "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks;
        try (TestBackend backend = TestBackend.playing(Script.answer(response));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {

            client.send(oddPieces(request));

            assertThat(client.read().undated().equals(response)).isTrue();
            assertThat(backend.nextRequest().equals(request)).isTrue();
        }
    }

    @EachTransport
    void requestBodyMayArriveByteByByte(TransportKind transport) throws Exception {
        String chunks = "3;a=b\r\nabc\r\n0A\r\n0123456789\r\n0\r\nT: u\r\n\r\n";
        String request = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks;
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {

            assertThat(client.sendSlowly(request).read().body()).isEqualTo(request);
            assertThat(client.sendSlowly("\r\n" + request).read().body()).isEqualTo(request);
        }
    }

    @EachTransport
    void responseMayArriveByteByByte(TransportKind transport) throws Exception {
        String chunks = "3\r\nabc\r\n1\r\nx\r\n0\r\nT: u\r\n\r\n";
        String response = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n" + chunks;
        Script slow = connection -> {
            connection.readRequest();
            for (String b : response.split("")) {
                connection.send(b);
            }
        };
        try (TestBackend backend = TestBackend.playing(slow);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                                .read()
                                .undated())
                        .isEqualTo(response);
            }
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    @EachTransport
    void bodilessResponsesKeepLengthAndConnection(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(
                        Script.answer("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"),
                        Script.answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                        Script.answer("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"),
                        Script.answer("HTTP/1.1 204 No Content\r\n\r\n"),
                        Script.ok("end"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            String head = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n";
            String get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

            assertThat(client.send(head).readToHead().undated())
                    .isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
            assertThat(client.send(head).readToHead().undated())
                    .isEqualTo("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            assertThat(client.send(get).read().undated())
                    .isEqualTo("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n");
            assertThat(client.send(get).read().undated()).isEqualTo("HTTP/1.1 204 No Content\r\n\r\n");
            assertThat(client.send(get).read().body()).isEqualTo("end");
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    @EachTransport
    void connectionDelimitedResponseClosesClientConnection(TransportKind transport) throws Exception {
        String body = noise(SEVERAL_MIB);
        try (TestBackend backend = TestBackend.playing(Script.answerAndClose("HTTP/1.1 200 OK\r\n\r\n" + body));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {

            RawResponse response =
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read();

            assertThat(RawResponse.undated(response.head())).isEqualTo("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
            assertThat(response.body().equals(body)).isTrue();
        }
    }

    @EachTransport
    void onlyClientDecidesClientConnectionClose(TransportKind transport) throws Exception {
        String response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
        try (TestBackend backend = TestBackend.playing(Script.answer(response));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {

            assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read().header("Connection"))
                    .isNull();
            backend.awaitConnectionEnd();
            assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                            .read()
                            .header("Connection"))
                    .isEqualTo("close");
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
            assertThat(backend.requests()).last().asString().doesNotContain("Connection");
            assertThat(backend.connections()).isEqualTo(2);
        }
    }

    /** Returns random letters, so that a failure can be printed. */
    private static String noise(int length) {
        Random random = new Random(length);
        StringBuilder noise = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            noise.append((char) ('a' + random.nextInt(26)));
        }
        return noise.toString();
    }

    private static String[] oddPieces(String text) {
        Random random = new Random(text.length());
        List<String> pieces = new ArrayList<>();
        for (int from = 0; from < text.length(); ) {
            int to = Math.min(text.length(), from + 1 + random.nextInt(random.nextBoolean() ? 10 : 60_000));
            pieces.add(text.substring(from, to));
            from = to;
        }
        return pieces.toArray(String[]::new);
    }
}
