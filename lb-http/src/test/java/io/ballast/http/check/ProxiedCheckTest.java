package io.ballast.http.check;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BodyCheck;
import io.ballast.core.config.CheckTls;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthCheck.StatusRange;
import io.ballast.core.config.SentProxyHeader;
import io.ballast.core.health.ProbeResult;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.TestCertificate;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Tests checks whose connections start with a PROXY protocol header. */
class ProxiedCheckTest {

    private static final String UNKNOWN = "PROXY UNKNOWN";
    private static final String LOCAL = "0d0a0d0a000d0a515549540a20000000";

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

    @EachTransport
    void tcpCheckSendsOnlyHeader(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(connection -> received.add(text(connection.readToEnd())))) {
            ProbeResult result = CheckRun.of(
                    transport,
                    backend.address(),
                    new HealthCheck.Proxied(new HealthCheck.Tcp(), SentProxyHeader.V1),
                    TestTimeout.LIMIT);

            assertThat(result.ok()).as(result.text()).isTrue();
            assertThat(received.take()).isEqualTo(UNKNOWN + "\r\n");
        }
    }

    @EachTransport
    void version2UsesLocalCommand(TransportKind transport) throws Exception {
        Script script = connection -> {
            received.add(HexFormat.of().formatHex(connection.readExactly(LOCAL.length() / 2)));
            connection.readHead();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").close();
        };
        try (TestBackend backend = TestBackend.accepting(script)) {
            ProbeResult result = CheckRun.of(
                    transport,
                    backend.address(),
                    new HealthCheck.Proxied(http(CheckTls.NEVER), SentProxyHeader.V2),
                    TestTimeout.LIMIT);

            assertThat(result.text()).isEqualTo("200 OK");
            assertThat(received.take()).isEqualTo(LOCAL);
        }
    }

    @Test
    void checkDataFollowsHeader() throws Exception {
        Script redis = connection -> {
            received.add(text(connection.readExactly(UNKNOWN.length() + 2 + 14)));
            connection.send("+PONG\r\n").awaitClose();
        };
        for (HealthCheck check : List.of(
                new HealthCheck.Redis(CheckTls.NEVER),
                new HealthCheck.Tcp(Optional.of("*1\r\n$4\r\nPING\r\n"), Optional.of("+PONG")))) {
            try (TestBackend backend = TestBackend.accepting(redis)) {
                assertThat(CheckRun.of(backend.address(), v1(check)).ok()).isTrue();
                assertThat(received.take()).isEqualTo(UNKNOWN + "\r\n*1\r\n$4\r\nPING\r\n");
            }
        }
    }

    @Test
    void headerPrecedesTls() throws Exception {
        TestCertificate certificate = TestCertificate.create();
        try (TestBackend backend = TestBackend.playing(Script.answer("HTTP/1.1 204 Fine\r\n\r\n"))
                .by(certificate.server())
                .proxied()) {
            ProbeResult result = CheckRun.secured(backend.address(), tls -> http(tls), ProxiedCheckTest::v1, () -> {});

            assertThat(result.text()).isEqualTo("204 Fine");
            assertThat(backend.proxyHeaders()).containsExactly(UNKNOWN);
        }
    }

    @Test
    void headerPrecedesHttp2AndGrpc() throws Exception {
        Http2Script serving = Http2Script.serving((connection, request) -> connection
                .head(request, /* ends= */ false, ":status", "200")
                .data(request, /* ends= */ false, "\0\0\0\0\2\u0008\1")
                .head(request, /* ends= */ true, "grpc-status", "0"));
        try (Http2TestBackend backend = Http2TestBackend.playing(serving).proxied()) {
            HealthCheck grpc = new HealthCheck.Grpc("", Optional.empty(), CheckTls.NEVER);

            assertThat(CheckRun.of(backend.address(), v1(grpc)).text()).isEqualTo("SERVING");
            assertThat(backend.proxyHeaders()).containsExactly(UNKNOWN);
        }
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.ok("fine"))
                .by(TestCertificate.create().server(), "h2")
                .proxied()) {
            ProbeResult result = CheckRun.secured(backend.address(), tls -> http(tls), ProxiedCheckTest::v1, () -> {});

            assertThat(result.text()).isEqualTo("200");
            assertThat(backend.proxyHeaders()).containsExactly(UNKNOWN);
        }
    }

    private static HealthCheck v1(HealthCheck check) {
        return new HealthCheck.Proxied(check, SentProxyHeader.V1);
    }

    private static HealthCheck http(CheckTls tls) {
        return new HealthCheck.Http(
                "GET", "/", Optional.empty(), List.of(new StatusRange(200, 299)), List.of(), BodyCheck.ANY, tls);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, ISO_8859_1);
    }
}
