package io.ballast.http.check;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.CheckTls;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.ProbeResult;
import io.ballast.http.h2.testing.Http2Request;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests checks of type {@code grpc} without TLS. */
class GrpcCheckTest {

    private static final String SERVING = "\0\0\0\0\2\u0008\1";

    @Test
    void sendsServiceNameInRequest() throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(answering(SERVING, "grpc-status", "0"))) {
            ProbeResult result = CheckRun.of(backend.address(), check("my.Service"));

            assertThat(result.text()).isEqualTo("SERVING");
            assertThat(result.ok()).isTrue();
            Http2Request request = backend.nextRequest();
            assertThat(request.header(":method")).isEqualTo("POST");
            assertThat(request.header(":scheme")).isEqualTo("http");
            assertThat(request.header(":authority")).isEqualTo("host:1");
            assertThat(request.header(":path")).isEqualTo("/grpc.health.v1.Health/Check");
            assertThat(request.header("content-type")).isEqualTo("application/grpc");
            assertThat(request.header("te")).isEqualTo("trailers");
            assertThat(new String(request.bytes(), ISO_8859_1)).isEqualTo("\0\0\0\0\14\n\nmy.Service");
        }
    }

    @Test
    void emptyServiceSendsEmptyMessage() throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(answering(SERVING, "grpc-status", "0"))) {
            assertThat(CheckRun.of(backend.address(), check("")).ok()).isTrue();
            assertThat(backend.nextRequest().bytes()).containsExactly(0, 0, 0, 0, 0);
        }
    }

    @Test
    void otherStatusIsDownWithReason() throws Exception {
        assertDown(answering("\0\0\0\0\2\u0008\2", "grpc-status", "0"), "NOT_SERVING (expected: SERVING)");
        assertDown(answering("\0\0\0\0\0", "grpc-status", "0"), "UNKNOWN (expected: SERVING)");
        assertDown(answering("\0\0\0\0\2\u0010\1", "grpc-status", "0"), "no health status (expected: SERVING)");
        assertDown(answering("x".repeat(5000), "grpc-status", "0"), "the gRPC message is not a health check response");
        assertDown(answering(SERVING, "grpc-status", "13", "grpc-message", "broken"), "grpc-status 13: broken");
        assertDown(answering(SERVING, "x", "y"), "not a gRPC response: it has no grpc-status");
        assertDown(
                Http2Script.serving((connection, request) -> connection.head(
                        request, /* ends= */ true, ":status", "200", "grpc-status", "5", "grpc-message", "who")),
                "grpc-status 5: who");
        assertDown(Http2Script.ok("hello"), "not a gRPC response: it has no trailers");
        assertDown(
                Http2Script.serving(
                        (connection, request) -> connection.head(request, /* ends= */ true, ":status", "404")),
                "status 404 (expected: 200)");
    }

    @Test
    void quotedTextIsOneShortLine() throws Exception {
        String forged = "\n2026-01-01 INFO backend=b state=up";
        assertDown(
                answering(SERVING, "grpc-status", "13", "grpc-message", forged),
                "grpc-status 13: ?2026-01-01 INFO backend=b state=up");
        assertDown(
                answering(SERVING, "grpc-status", "13", "grpc-message", "x".repeat(10_000)),
                "grpc-status 13: " + "x".repeat(184) + "...");
    }

    @Test
    void backendWithoutHttp2IsDown() throws Exception {
        try (TestBackend backend =
                TestBackend.accepting(connection -> connection.send("HTTP/1.1 400 Bad Request\r\n\r\n"))) {
            assertThat(CheckRun.of(backend.address(), check("")).text()).isEqualTo("not an HTTP/2 response");
        }
        try (TestBackend backend = TestBackend.playing(Script.answerAndClose(""))) {
            assertThat(CheckRun.of(backend.address(), check("")).ok()).isFalse();
        }
    }

    private static void assertDown(Http2Script script, String reason) throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(script)) {
            ProbeResult result = CheckRun.of(backend.address(), check(""));

            assertThat(result.text()).isEqualTo(reason);
            assertThat(result.ok()).isFalse();
        }
    }

    private static HealthCheck check(String service) {
        return new HealthCheck.Grpc(service, Optional.empty(), CheckTls.OF_POOL);
    }

    private static Http2Script answering(String message, String... trailers) {
        return Http2Script.serving((connection, request) -> connection
                .head(request, /* ends= */ false, ":status", "200")
                .data(request, /* ends= */ false, message)
                .head(request, /* ends= */ true, trailers));
    }
}
