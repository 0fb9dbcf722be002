package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.h2.testing.FrameBytes;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.wire.ErrorCode;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestHeaderRules;
import io.ballast.net.config.TransportKind;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that clients cannot forge a header of the balancer with a trailer, because some backends merge trailers into the
 * headers.
 */
class ForgedTrailersTest {

    private static final String LONG_NAME = "X-A-Name-That-Is-Longer-Than-Thirty-Two-Bytes";
    private static final String CHUNKS =
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n";

    private static TestBalancer balancer(TestBackend backend) throws Exception {
        return BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .headers(TestHeaderRules.request("X-User", "us"))
                .route("/", TestHeaderRules.request(LONG_NAME, "us"))
                .start();
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-User", "x-user", "X_User", LONG_NAME})
    void chunkedBodyWithForgedTrailerIsRefused(String name) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = balancer(backend);
                RawClient client = balancer.client()) {

            int status = client.send(CHUNKS + name + ": root\r\n\r\n").read().status();

            assertThat(status).isEqualTo(400);
            assertThat(backend.requests()).noneMatch(request -> request.contains("root"));
        }
    }

    @Test
    void otherTrailersOfChunkedBodyArePassed() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = balancer(backend);
                RawClient client = balancer.client()) {

            client.send(CHUNKS + "X-Sum: 1\r\n\r\n").read();

            assertThat(backend.nextRequest()).endsWith("\r\n0\r\nX-Sum: 1\r\n\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x-user", "x_user"})
    void streamWithForgedTrailerIsReset(String name) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = balancer(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.post("/");
            client.send(
                    FrameBytes.data(stream, /* ends= */ false, "hi".getBytes(StandardCharsets.US_ASCII)),
                    FrameBytes.headers(stream, /* ends= */ true, FrameBytes.block(name, "root")));

            assertThat(client.read(stream).resetCode()).isEqualTo(ErrorCode.PROTOCOL_ERROR.ordinal());
        }
    }
}
