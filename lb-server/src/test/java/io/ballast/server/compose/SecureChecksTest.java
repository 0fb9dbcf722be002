package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.load.ConfigLoader;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.control.ReloadReport;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.net.testing.TestCertificate;
import io.ballast.server.reload.ConfigReloader;
import io.ballast.server.reload.Reloadable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that health checks of type http use TLS when the pool does, and report why a backend is not trusted.
 */
class SecureChecksTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final TestCertificate CERTIFICATE = TestCertificate.create();
    private static final String HEAD = """
            listeners: [{bind: "127.0.0.1:0", routes: [{respond: {status: 204}}]}]
            dashboard: {bind: "127.0.0.1:0"}
            pools:
            """;

    @TempDir
    private Path directory;

    @Test
    void onlyVerifiedBackendIsUp() throws Exception {
        Path ca = CERTIFICATE.write(directory, "ca").certificate();
        Path other = TestCertificate.create().write(directory, "other").certificate();
        try (TestBackend backend = TestBackend.playing(Script.answer("HTTP/1.1 204 Fine\r\n\r\n"))
                        .by(CERTIFICATE.server());
                TestBackend ill = TestBackend.playing(Script.answer("HTTP/1.1 503 Ill\r\n\r\n"))
                        .by(CERTIFICATE.server());
                TestBackend plain = TestBackend.accepting(connection -> connection.send("HTTP/1.1 204 Fine\r\n\r\n"));
                Balancer balancer = start(pool("good", backend.port(), "ca: " + ca)
                        + pool("stranger", backend.port(), "ca: " + other)
                        + pool("misnamed", backend.port(), "ca: " + ca + ", server_name: app.internal")
                        + pool("ill", ill.port(), "ca: " + ca)
                        + pool("plain", plain.port(), "ca: " + ca))) {
            assertUp(balancer, "good");
            assertDown(balancer, "stranger", "the certificate's issuer is not trusted");
            assertDown(balancer, "misnamed", "the certificate is not valid for this name");
            assertDown(balancer, "ill", "status 503 Ill (expected: 200-399)");
            assertDown(balancer, "plain", "the peer does not speak TLS");
        }
    }

    @Test
    void checksUseHttp2LikeRequests() throws Exception {
        Path ca = CERTIFICATE.write(directory, "ca").certificate();
        Http2Script well = Http2Script.serving(
                (connection, request) -> connection.head(request, /* ends= */ true, ":status", "204"));
        Http2Script ill = Http2Script.serving(
                (connection, request) -> connection.head(request, /* ends= */ true, ":status", "503"));
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
            assertDown(balancer, "old", "the backend did not negotiate HTTP/2 (ALPN) in the TLS handshake");
        }
    }

    /** The checks use the TLS settings of a change that is not active yet. */
    @Test
    void newBackendsAreCheckedWithTheirTls() throws Exception {
        TestCertificate next = TestCertificate.create();
        Path ca = CERTIFICATE.write(directory, "ca").certificate();
        Path nextCa = next.write(directory, "next").certificate();
        Script fine = Script.answer("HTTP/1.1 204 Fine\r\n\r\n");
        try (TestBackend blue = TestBackend.playing(fine).by(CERTIFICATE.server());
                TestBackend green = TestBackend.playing(fine).by(next.server());
                Balancer balancer = start(pool("app", blue.port(), "ca: " + ca))) {
            Path file = directory.resolve("config.yaml");
            ConfigReloader reloader = new ConfigReloader(
                    file,
                    ConfigLoader.ofProcess().load(file),
                    balancer,
                    balancer.control(),
                    balancer.changes(),
                    ReferencedFiles::problems);
            Files.writeString(
                    file, HEAD + pool("app", green.port(), "ca: " + nextCa) + pool("fresh", blue.port(), "ca: " + ca));

            ReloadReport report = reloader.reload(/* dryRun= */ false, "test").get();

            assertThat(report.outcome()).isEqualTo(ReloadReport.Outcome.APPLIED);
            assertUp(balancer, "app");
            assertUp(balancer, "fresh");
        }
    }

    @Test
    void checksAndRequestsMayDifferInTls() throws Exception {
        Path ca = CERTIFICATE.write(directory, "ca").certificate();
        try (TestBackend secured = TestBackend.playing(Script.answer("HTTP/1.1 204 Fine\r\n\r\n"))
                        .by(CERTIFICATE.server());
                TestBackend plain = TestBackend.playing(Script.answer("HTTP/1.1 204 Fine\r\n\r\n"));
                Balancer balancer = start(checkedBy("own", "", "type: https, tls: {ca: '" + ca + "'}", secured)
                        + checkedBy("any", "", "type: https, tls: {insecure: true, server_name: x.y}", secured)
                        + checkedBy("untrusted", "", "type: https", secured)
                        + checkedBy("pools", "tls: {ca: '" + ca + "'}", "type: https", secured)
                        + checkedBy("plain", "tls: true", "type: http, tls: false", plain))) {
            assertUp(balancer, "own");
            assertUp(balancer, "any");
            assertDown(balancer, "untrusted", "the certificate's issuer is not trusted");
            assertUp(balancer, "pools");
            assertUp(balancer, "plain");
        }
    }

    @Test
    void reloadedCheckPortUsesItsTls() throws Exception {
        Path ca = CERTIFICATE.write(directory, "ca").certificate();
        try (TestBackend served = TestBackend.playing(Script.ok("served"));
                TestBackend checked = TestBackend.playing(Script.ok("checked")).by(CERTIFICATE.server());
                Balancer balancer = start(checkedBy("web", "", "type: http, body_contains: served", served))) {
            assertUp(balancer, "web");

            String health =
                    "type: https, port: " + checked.port() + ", body_contains: checked, tls: {ca: '" + ca + "'}";
            Path next = write(checkedBy("web", "", health, served) + checkedBy("more", "", health, served));
            try (Reloadable.Preparation change =
                    balancer.prepare(ConfigLoader.ofProcess().load(next).config())) {
                CompletableFuture.runAsync(
                                () -> {
                                    change.commit();
                                    change.releasePrevious();
                                },
                                balancer.control()::execute)
                        .get();
            }

            // The backend was checked before the change, with TLS settings that were not active yet.
            assertUp(balancer, "more");
            assertThat(checked.nextRequest()).contains("Host: 127.0.0.1:" + checked.port());
        }
    }

    @Test
    void evaluatesHttp2Bodies() throws Exception {
        Path ca = CERTIFICATE.write(directory, "ca").certificate();
        Http2Script ready = Http2Script.serving((connection, request) -> connection
                .head(request, /* ends= */ false, ":status", "200")
                .data(request, /* ends= */ false, "state=")
                .data(request, /* ends= */ true, "ready"));
        String health = "type: http, headers: {X-Probe: \"1\"}, ";
        try (Http2TestBackend backend = Http2TestBackend.playing(ready).by(CERTIFICATE.server(), "h2");
                Balancer balancer = start(h2("good", health + "body_contains: state=ready", ca, backend)
                        + h2("bad", health + "body_matches: '[0-9]'", ca, backend))) {
            assertUp(balancer, "good");
            assertThat(backend.nextRequest().header("x-probe")).isEqualTo("1");
            assertDown(balancer, "bad", "status 200, but nothing matches '[0-9]' in the body");
        }
    }

    private static String h2(String name, String health, Path ca, Http2TestBackend backend) {
        return """
                  %s:
                    backends: ["127.0.0.1:%d"]
                    protocol: h2
                    tls: {ca: '%s'}
                    health: {%s, timeout: 1m, rise: 1, fall: 1}
                """.formatted(name, backend.address().port(), ca, health);
    }

    private static String checkedBy(String name, String tls, String health, TestBackend backend) {
        return """
                  %s:
                    backends: ["127.0.0.1:%d"]
                    %s
                    health: {%s, timeout: 1m, rise: 1, fall: 1}
                """.formatted(name, backend.port(), tls, health);
    }

    private static void assertUp(Balancer balancer, String pool) throws Exception {
        assertThat(firstVerdict(balancer, pool).state()).as(pool).isEqualTo(BackendState.UP);
    }

    private static void assertDown(Balancer balancer, String pool, String reason) throws Exception {
        HealthStatus verdict = firstVerdict(balancer, pool);
        assertThat(verdict.state()).as(pool).isEqualTo(BackendState.DOWN);
        assertThat(verdict.reason()).as(pool).contains(reason);
    }

    /** Waits for the first check result, because a reload waits for it for two seconds at most. */
    private static HealthStatus firstVerdict(Balancer balancer, String pool) throws Exception {
        StartedBalancer.await(() -> health(balancer, pool).state() != BackendState.UNKNOWN);
        return health(balancer, pool);
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
                    health: {type: http, path: /health, timeout: 1m, rise: 1, fall: 1}
                """.formatted(name, port, protocol, tls);
    }

    private Balancer start(String pools) throws Exception {
        Balancer balancer =
                Balancer.start(ConfigLoader.ofProcess().load(write(pools)).config());
        assertThat(balancer.awaitFirstChecks(TIMEOUT)).isTrue();
        return balancer;
    }

    private Path write(String pools) throws Exception {
        return Files.writeString(directory.resolve("config.yaml"), HEAD + pools);
    }
}
