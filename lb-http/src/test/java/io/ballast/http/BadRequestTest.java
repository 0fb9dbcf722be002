package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Tests that ambiguous requests are rejected and not forwarded, and that the data after them is ignored. */
class BadRequestTest {

    private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\n";
    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";

    @EachTransport
    void malformedHeadReachesNoBackend(TransportKind transport) throws Exception {
        Map<String, Integer> heads = badHeads();
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start()) {
            heads.forEach((head, status) -> {
                try (RawClient client = balancer.client()) {
                    String answer = client.send(head + SMUGGLED).readToEnd();

                    assertThat(answer).as(head).startsWith("HTTP/1.1 " + status + " ");
                    assertThat(answer).contains("Connection: close\r\n").containsOnlyOnce("HTTP/1.1");
                }
            });

            assertThat(backend.connections()).isZero();
            assertThat(balancer.count(Failure.BAD_REQUEST)).isEqualTo(heads.size());
            assertThat(balancer.count(ListenerCounter.REQUESTS)).isEqualTo(heads.size());
        }
    }

    private static Map<String, Integer> badHeads() {
        Map<String, Integer> heads = new LinkedHashMap<>();
        heads.put(POST + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400);
        heads.put(POST + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", 400);
        heads.put(POST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n", 400);
        heads.put(POST + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", 400);
        heads.put(POST + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501);
        heads.put(POST + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501);
        heads.put(POST + "Transfer-Encoding:\u000bchunked\r\n\r\n0\r\n\r\n", 400);
        heads.put(POST + "Transfer-Encoding\u000b: chunked\r\n\r\n0\r\n\r\n", 400);
        heads.put(POST + "X: y\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400);
        heads.put("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400);
        heads.put(POST + "Content-Length: 5\r\nContent-Length: 0\r\n\r\nabcde", 400);
        heads.put(POST + "Content-Length: +5\r\n\r\nabcde", 400);
        heads.put(POST + "Content-Length: 0x5\r\n\r\nabcde", 400);
        heads.put(POST + "Content-Length: 5 5\r\n\r\nabcde", 400);
        heads.put(POST + "Content-Length : 5\r\n\r\nabcde", 400);
        heads.put(POST + " Content-Length: 5\r\n\r\nabcde", 400);
        heads.put(POST + "X: y\r\n Content-Length: 5\r\n\r\nabcde", 400);
        heads.put(POST + "X: \0\r\n\r\n", 400);
        heads.put(POST + "X: y\rz\r\n\r\n", 400);
        heads.put(POST + "X\r\n\r\n", 400);
        heads.put("GET / HTTP/1.1\nHost: a\n\n", 400);
        heads.put("GET / HTTP/1.1\r\n\r\n", 400);
        heads.put("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400);
        heads.put("GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", 400);
        heads.put("GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400);
        heads.put("GET /#f HTTP/1.1\r\nHost: a\r\n\r\n", 400);
        heads.put("GET /\r\n\r\n", 400);
        heads.put("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 501);
        heads.put("GET / HTTP/2.0\r\n\r\n", 505);
        heads.put("\u0016\u0003\u0001\u0002", 400);
        return heads;
    }

    @EachTransport
    void malformedChunksNeverCompleteRequest(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start()) {
            for (String body : badChunks()) {
                try (RawClient client = balancer.client()) {
                    String answer = client.send(CHUNKED + body + SMUGGLED).readToEnd();

                    assertThat(answer).as(body).matches(Pattern.compile("HTTP/1.1 4(00|31) .*", Pattern.DOTALL));
                    assertThat(answer).contains("Connection: close\r\n").containsOnlyOnce("HTTP/1.1");
                }
            }

            assertThat(backend.requests()).isEmpty();
            assertThat(balancer.count(Failure.BAD_REQUEST)).isEqualTo(badChunks().length);
        }
    }

    @EachTransport
    void malformedLaterChunkClosesBothConnections(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(CHUNKED);
            balancer.await("the head is with the backend", () -> backend.bytes() == CHUNKED.length());

            String answer =
                    client.send("3\r\nabc\r\n", "3\r\nabcd\r\n", SMUGGLED).readToEnd();

            assertThat(answer).startsWith("HTTP/1.1 400 ").containsOnlyOnce("HTTP/1.1");
            backend.awaitConnectionEnd();
            assertThat(backend.requests()).isEmpty();
        }
    }

    private static String[] badChunks() {
        return new String[] {
            "\r\n",
            "x\r\n",
            "-1\r\n",
            "+1\r\na\r\n0\r\n\r\n",
            "0x1\r\na\r\n0\r\n\r\n",
            " 1\r\na\r\n0\r\n\r\n",
            "1 \r\na\r\n0\r\n\r\n",
            "1\na\n0\n\n",
            "1\r\nab\r\n0\r\n\r\n",
            "1\r\na\n0\r\n\r\n",
            "1\r\na0\r\n\r\n",
            "1;x\na\r\n0\r\n\r\n",
            "1;x\rX\na\r\n0\r\n\r\n",
            "1;\0\r\na\r\n0\r\n\r\n",
            "fffffffffffffffff\r\na\r\n",
            "10000000000000001\r\na\r\n0\r\n\r\n",
            "1;" + "x".repeat(5000) + "\r\na\r\n0\r\n\r\n",
            "0\r\n X: y\r\n\r\n",
            "0\r\nX : y\r\n\r\n",
            "0\r\nX: y\n\r\n",
            "0\r\nContent-Length: 1\r\n\r\n",
            "0\r\nTransfer-Encoding: chunked\r\n\r\n",
            "0\r\nHost: b\r\n\r\n",
            "0\r\nX_Forwarded_For: b\r\n\r\n",
            "0\r\nAuthorization: b\r\n\r\n",
            "0\r\nX: " + "y".repeat(9000) + "\r\n\r\n",
        };
    }
}
