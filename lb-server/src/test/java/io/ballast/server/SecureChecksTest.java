package io.ballast.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.net.testing.TestCertificate;
import io.ballast.server.config.ConfigLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Health checks of type http go by TLS where the pool does, and say why a backend is not believed. */
class SecureChecksTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final TestCertificate CERTIFICATE = TestCertificate.create();

    @TempDir
    private Path directory;

    @Test
    void backendThatProvesWhoItIsIsUpAndAnyOtherSaysWhyNot() throws Exception {
        Path ca = CERTIFICATE.write(directory, "ca").certificate();
        Path other = TestCertificate.create().write(directory, "other").certificate();
        try (TestBackend backend = TestBackend.playing(Script.answer("HTTP/1.1 204 Fine\r\n\r\n"))
                        .by(CERTIFICATE.server());
                TestBackend ill = TestBackend.playing(Script.answer("HTTP/1.1 503 Ill\r\n\r\n"))
                        .by(CERTIFICATE.server());
                TestBackend plain = TestBackend.accepting(talk -> talk.send("HTTP/1.1 204 Fine\r\n\r\n"));
                Balancer balancer = start(pool("good", backend.port(), "ca: " + ca)
                        + pool("stranger", backend.port(), "ca: " + other)
                        + pool("misnamed", backend.port(), "ca: " + ca + ", server_name: app.internal")
                        + pool("ill", ill.port(), "ca: " + ca)
                        + pool("plain", plain.port(), "ca: " + ca))) {
            assertUp(balancer, "good");
            assertDown(balancer, "stranger", "the certificate's issuer is not trusted");
            assertDown(balancer, "misnamed", "the certificate is made out for another name");
            assertDown(balancer, "ill", "status 503 Ill (expected: 200-399)");
            assertDown(balancer, "plain", "what answers does not speak TLS");
        }
    }

    @Test
    void checksSpeakHttp2WhereRequestsDo() throws Exception {
        Path ca = CERTIFICATE.write(directory, "ca").certificate();
        Http2Script well =
                Http2Script.serving((talk, request) -> talk.head(request, /* ends= */ true, ":status", "204"));
        Http2Script ill =
                Http2Script.serving((talk, request) -> talk.head(request, /* ends= */ true, ":status", "503"));
        try (Http2TestBackend backend = Http2TestBackend.playing(well).by(CERTIFICATE.server(), "h2");
                Http2TestBackend failing = Http2TestBackend.playing(ill).by(CERTIFICATE.server(), "h2");
                TestBackend old = TestBackend.playing(Script.answer("HTTP/1.1 204 Fine\r\n\r\n"))
                        .by(CERTIFICATE.server());
                Balancer balancer = start(pool("good", backend.address().port(), "ca: " + ca, "h2")
                        + pool("ill", failing.address().port(), "ca: " + ca, "h2")
                        + pool("old", old.port(), "ca: " + ca, "h2"))) {
            assertUp(balancer, "good");
            assertThat(backend.nextRequest().header(":path")).isEqualTo("/health");
            assertDown(balancer, "ill", "status 503 (expected: 200-399)");
            assertDown(balancer, "old", "it does not agree to HTTP/2 (ALPN) in the TLS handshake");
        }
    }

    private static void assertUp(Balancer balancer, String pool) {
        assertThat(health(balancer, pool).state()).as(pool).isEqualTo(BackendState.UP);
    }

    private static void assertDown(Balancer balancer, String pool, String reason) {
        assertThat(health(balancer, pool).state()).as(pool).isEqualTo(BackendState.DOWN);
        assertThat(health(balancer, pool).reason()).as(pool).contains(reason);
    }

    private static HealthStatus health(Balancer balancer, String pool) {
        return balancer.topology().pools().get(pool).members().get(0).backend().health();
    }

    private static String pool(String name, int port, String tls) {
        return pool(name, port, tls, "http1");
    }

    private static String pool(String name, int port, String tls, String protocol) {
        return """
                  %s:
                    backends: ["127.0.0.1:%d"]
                    protocol: %s
                    tls: {%s}
                    health: {type: http, path: /health, rise: 1, fall: 1}
                """.formatted(name, port, protocol, tls);
    }

    private Balancer start(String pools) throws Exception {
        Path file = Files.writeString(directory.resolve("config.yaml"), """
                listeners: [{bind: "127.0.0.1:0", routes: [{respond: {status: 204}}]}]
                dashboard: {bind: "127.0.0.1:0"}
                pools:
                """ + pools);
        Balancer balancer = Balancer.start(ConfigLoader.ofProcess().load(file).config());
        assertThat(balancer.awaitFirstChecks(PATIENCE)).isTrue();
        return balancer;
    }
}
