package io.ballast.policy.compress;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendProtocol;
import io.ballast.http.h2.testing.Http2Request;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests compression of responses of HTTP/2 backends. */
class CompressedHttp2BackendTest {

    private static final String TEXT = CompressionSetup.text(300_000);

    /** Answers with a body, and with trailers if its length is not announced. */
    private static Http2Script answer(boolean announcesLength) {
        return connection -> {
            connection.begin();
            Http2Request request = connection.nextRequest();
            if (announcesLength) {
                String length = String.valueOf(TEXT.length());
                connection.head(request, false, ":status", "200", "content-type", "text/css", "content-length", length);
            } else {
                connection.head(request, false, ":status", "200", "content-type", "text/css");
            }
            connection.upload(request, announcesLength, TEXT.getBytes(ISO_8859_1));
            if (!announcesLength) {
                connection.head(request, true, "x-sum", "1");
            }
            connection.readToEnd();
        };
    }

    @ParameterizedTest
    @CsvSource({"HTTP_1, true", "HTTP_1, false", "HTTP_2, true", "HTTP_2, false"})
    void compressesBody(HttpVersion version, boolean announcesLength) throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(answer(announcesLength));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .protocol(BackendProtocol.H2C)
                        .backend(backend.address())
                        .policies(CompressionSetup.gzip())
                        .start()) {
            ReceivedResponseText response = version.fetch(balancer, "GET", "accept-encoding", "gzip");

            assertThat(response.isCompressed()).isTrue();
            assertThat(response.text()).isEqualTo(TEXT);
            assertThat(response.headers("content-length")).isEmpty();
            assertThat(response.trailers()).isEqualTo(announcesLength ? List.of() : List.of("x-sum: 1"));
        }
    }
}
