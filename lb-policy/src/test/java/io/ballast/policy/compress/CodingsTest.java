package io.ballast.policy.compress;

import static io.ballast.policy.compress.CompressionSetup.before;
import static io.ballast.policy.compress.CompressionSetup.policy;
import static io.ballast.policy.compress.CompressionSetup.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.policy.config.CompressionConfig;
import io.ballast.policy.config.ContentCoding;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests Brotli and Zstandard, and the choice among several codings. */
class CodingsTest {

    private static final String TEXT = text(300_000);

    private static NamedPolicy all() {
        return policy(CompressionConfig.of(List.of(ContentCoding.BR, ContentCoding.ZSTD, ContentCoding.GZIP)));
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP_1, 'gzip, deflate, br, zstd', br",
        "HTTP_2, 'gzip, deflate, br, zstd', br",
        "HTTP_1, 'gzip, zstd', zstd",
        "HTTP_2, 'gzip, zstd', zstd",
        "HTTP_1, 'br;q=0.5, gzip', gzip",
        "HTTP_2, 'br;q=0.5, gzip', gzip",
    })
    void clientGetsTheCodingThatItLikesBest(HttpVersion version, String accepted, String coding) throws Exception {
        try (TestBackend backend = TestBackend.playing(
                        Script.answer("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: \"a\"\r\nContent-Length: "
                                + TEXT.length() + "\r\n\r\n" + TEXT));
                TestBalancer balancer = before(backend, all()).start()) {
            for (int i = 0; i < 3; i++) {
                ReceivedResponseText response = version.fetch(balancer, "GET", "accept-encoding", accepted);

                assertThat(response.headers("content-encoding")).containsExactly(coding);
                assertThat(response.headers("etag")).containsExactly("W/\"a\"");
                assertThat(response.headers("vary")).containsExactly("Accept-Encoding");
                assertThat(response.headers("content-length")).isEmpty();
                assertThat(response.body().length()).isLessThan(TEXT.length() / 2);
                assertThat(response.decoded()).isEqualTo(TEXT);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"HTTP_1, br", "HTTP_2, br", "HTTP_1, zstd", "HTTP_2, zstd"})
    void eachEventIsDecodableAtOnce(HttpVersion version, String coding) throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        Script events = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
            connection.send("b\r\ndata: one\n\n\r\n");
            connection.await(first).send("b\r\ndata: two\n\n\r\n");
            connection.await(second).send("0\r\n\r\n");
        };
        try (TestBackend backend = TestBackend.playing(events);
                TestBalancer balancer = before(backend, all()).start();
                StreamReader reader = StreamReader.get(version, balancer, coding)) {
            assertThat(reader.read(11)).isEqualTo("data: one\n\n");
            first.countDown();
            assertThat(reader.read(11)).isEqualTo("data: two\n\n");
            second.countDown();
            assertThat(reader.readToEnd()).isZero();
        }
    }

    @Test
    void codingWithoutItsLibraryIsOmitted() {
        List<ContentCoding> usable = NativeCodings.usable(List.of(ContentCoding.values()), coding -> {
            if (coding == ContentCoding.BR) {
                throw new UnsatisfiedLinkError("no library for this platform");
            }
        });

        assertThat(usable).containsExactly(ContentCoding.ZSTD, ContentCoding.GZIP);
    }

    @Test
    void gzipNeedsNoLibrary() {
        List<ContentCoding> usable = NativeCodings.usable(List.of(ContentCoding.GZIP), coding -> {
            throw new AssertionError("a library is loaded");
        });

        assertThat(usable).containsExactly(ContentCoding.GZIP);
    }
}
