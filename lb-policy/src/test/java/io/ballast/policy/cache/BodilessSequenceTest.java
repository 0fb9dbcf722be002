package io.ballast.policy.cache;

import static io.ballast.policy.testing.HttpRequests.named;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestErrorPages;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.compress.CompressionPolicy;
import io.ballast.policy.config.CompressionConfig;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that connections stay in sync if requests for heads and responses without a body alternate with other requests.
 * A cache, compression and error pages change the responses.
 */
class BodilessSequenceTest {

    private static final long SEED = 7;
    private static final String BODY = "0123456789".repeat(300);
    private static final String PAGE = "missing.html";
    private static final List<String> PATHS = List.of("/fresh", "/plain", "/chunked", "/empty", "/same", "/missing");
    private static final List<String> METHODS = List.of("GET", "HEAD");
    private static final List<String> FIELDS = List.of(
            "",
            "Accept-Encoding: gzip\r\n",
            "Range: bytes=5-9\r\n",
            "Range: bytes=9999-\r\n",
            "If-None-Match: \"1\"\r\n",
            "If-None-Match: W/\"1\"\r\nAccept-Encoding: gzip\r\n");

    private final CacheSetup setup = new CacheSetup();

    @AfterEach
    void close() {
        setup.close();
    }

    private static Script backend() {
        return connection -> {
            String request = connection.readRequest();
            boolean isHead = request.startsWith("HEAD");
            String path = request.substring(request.indexOf('/'), request.indexOf(" HTTP"));
            String type = "Content-Type: text/html\r\nETag: \"1\"\r\n";
            String length = "Content-Length: " + BODY.length() + "\r\n\r\n";
            String body = isHead ? "" : BODY;
            String chunks = isHead ? "" : Integer.toHexString(BODY.length()) + "\r\n" + BODY + "\r\n0\r\n\r\n";
            connection.send(
                    switch (path) {
                        case "/fresh" -> "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n" + type + length + body;
                        case "/plain" -> "HTTP/1.1 200 OK\r\n" + type + length + body;
                        case "/chunked" -> "HTTP/1.1 200 OK\r\n" + type + "Transfer-Encoding: chunked\r\n\r\n" + chunks;
                        case "/empty" -> "HTTP/1.1 204 No Content\r\n" + type + "\r\n";
                        case "/same" -> "HTTP/1.1 304 Not Modified\r\n" + type + length;
                        default -> "HTTP/1.1 404 Not Found\r\n" + type + length + body;
                    });
        };
    }

    private TestBalancer start(TestBackend backend) throws Exception {
        NamedPolicy compression = named("compress", new CompressionPolicy(CompressionConfig.gzip(), 2));
        return BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .policies(named("cache", setup.cache()), compression)
                .errorPages(
                        new TestErrorPages().page("404", PAGE).intercept("404").build())
                .start();
    }

    /** Returns all combinations in a random order. */
    private static List<String> requests() {
        List<String> all = new ArrayList<>();
        for (String method : METHODS) {
            for (String path : PATHS) {
                for (String fields : FIELDS) {
                    all.add(method + " " + path + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
                }
            }
        }
        all.addAll(List.copyOf(all)); // each request is sent twice, so that stored responses are used
        Collections.shuffle(all, new Random(SEED));
        return all;
    }

    private static int expectedStatus(String request, int found) {
        if (request.contains(" /empty ")) {
            return 204;
        }
        if (request.contains(" /same ")) {
            return 304;
        }
        return request.contains(" /missing ") ? 404 : found;
    }

    @Test
    void everyResponseBelongsToItsRequest() throws Exception {
        List<String> requests = requests();
        try (TestBackend backend = TestBackend.playing(backend());
                TestBalancer balancer = start(backend);
                RawClient client = balancer.client()) {
            client.send(String.join("", requests));
            for (String request : requests) {
                boolean isHead = request.startsWith("HEAD");
                RawResponse response = isHead ? client.readToHead() : client.read();
                assertThat(response.status())
                        .as(request + response.head())
                        .isEqualTo(expectedStatus(request, response.status()))
                        .isIn(200, 204, 206, 304, 404, 416);
                if (response.status() == 206) {
                    assertThat(response.body()).as(request).isEqualTo("56789");
                }
                if (response.status() == 204) {
                    assertThat(response.header("Content-Length")).as(request).isNull();
                }
                if (response.status() == 404) {
                    assertThat(response.header("Content-Length")).as(request).isEqualTo("" + PAGE.length());
                }
            }
            assertThat(client.finishSending().readToEnd()).isEmpty();
        }
    }

    @Test
    void responsesOverHttp2HaveNoBodyEither() throws Exception {
        try (TestBackend backend = TestBackend.playing(backend());
                TestBalancer balancer = start(backend)) {
            for (int round = 0; round < 2; round++) {
                for (String path : PATHS) {
                    Answer whole = HttpRequests.HTTP_2.get(balancer, path);
                    Answer head = HttpRequests.HTTP_2.send(balancer, "HEAD", path, "Accept-Encoding", "gzip");

                    assertThat(head.body()).as(path).isEmpty();
                    assertThat(head.status()).as(path).isEqualTo(whole.status());
                    boolean isBodiless = whole.status() == 204 || whole.status() == 304;
                    assertThat(whole.body().isEmpty()).as(path).isEqualTo(isBodiless);
                }
            }
        }
    }
}
