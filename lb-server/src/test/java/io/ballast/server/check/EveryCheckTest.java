package io.ballast.server.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.testing.TestBackend;
import io.ballast.net.testing.TestCertificate;
import io.ballast.server.compose.Balancer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests check types other than http, from the configuration file to the state of the backend. */
class EveryCheckTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final TestCertificate CERTIFICATE = TestCertificate.create();

    @TempDir
    private Path directory;

    @Test
    void eachCheckTypeWorks() throws Exception {
        Path ca = CERTIFICATE.write(directory, "ca").certificate();
        Http2Script serving = grpc("\0\0\0\0\2\u0008\1");
        Http2Script notServing = grpc("\0\0\0\0\2\u0008\2");
        try (Http2TestBackend plain = Http2TestBackend.playing(serving);
                Http2TestBackend secured = Http2TestBackend.playing(serving).by(CERTIFICATE.server(), "h2");
                Http2TestBackend leaving = Http2TestBackend.playing(notServing).by(CERTIFICATE.server(), "h2");
                TestBackend redis = TestBackend.accepting(connection -> {
                    connection.readExactly(6);
                    connection.send("+PONG\r\n").awaitClose();
                });
                Balancer zone = start("pools: {}", """
                        dns:
                          listeners: [{bind: "127.0.0.1:0"}]
                          zones: [{name: example.com}]
                        """)) {
            int dns = zone.dns().orElseThrow().addresses().get(0).getPort();
            String pools = "pools:\n"
                    + pool("grpc", plain.address().port(), "type: grpc")
                    + pool("grpcs", secured.address().port(), "type: grpc, service: x.Y, tls: {ca: '" + ca + "'}")
                    + pool("leaving", leaving.address().port(), "type: grpc, tls: {insecure: true}")
                    + pool("redis", redis.port(), "type: tcp, send: \"PING\\r\\n\", expect: +PONG")
                    + pool("dns", dns, "type: dns, query: example.com, query_type: SOA")
                    + pool("nxdomain", dns, "type: dns, query: no.example.com, expect: NOERROR");
            try (Balancer balancer = start(pools, "")) {
                assertHealth(balancer, "grpc", BackendState.UP, "SERVING");
                assertHealth(balancer, "grpcs", BackendState.UP, "SERVING");
                assertHealth(balancer, "leaving", BackendState.DOWN, "NOT_SERVING (expected: SERVING)");
                assertHealth(balancer, "redis", BackendState.UP, "expected answer received");
                assertHealth(balancer, "dns", BackendState.UP, "NOERROR");
                assertHealth(balancer, "nxdomain", BackendState.DOWN, "NXDOMAIN (expected: NOERROR)");
            }
        }
    }

    @Test
    void programsNeedPermissionAtStart() throws Exception {
        String exec = "pools:\n" + pool("web", 1, "type: exec, command: [/bin/true]");
        BallastConfig config = config(exec, "");

        assertThatThrownBy(() -> Balancer.start(config))
                .hasMessage("pools.web.health.type: exec (expected: another type, or start with lb run --allow-exec)");
        ExecPermission.require(config, /* permitted= */ true);
        try (Balancer balancer = start("pools: {}", "")) {
            assertThatThrownBy(() -> balancer.prepare(config)).hasMessageContaining("--allow-exec");
        }
    }

    private static Http2Script grpc(String message) {
        return Http2Script.serving((connection, request) -> connection
                .head(request, /* ends= */ false, ":status", "200")
                .data(request, /* ends= */ false, message)
                .head(request, /* ends= */ true, "grpc-status", "0"));
    }

    private static String pool(String name, int port, String health) {
        return "  %s: {backends: [\"127.0.0.1:%d\"], health: {%s, timeout: 1m, rise: 1, fall: 1}}\n"
                .formatted(name, port, health);
    }

    private static void assertHealth(Balancer balancer, String pool, BackendState state, String text) {
        HealthStatus health =
                balancer.topology().pools().get(pool).members().get(0).backend().health();
        assertThat(health.reason()).as(pool).contains(text);
        assertThat(health.state()).as(pool).isEqualTo(state);
    }

    private Balancer start(String pools, String more) throws Exception {
        Balancer balancer = Balancer.start(config(pools, more));
        assertThat(balancer.awaitFirstChecks(TIMEOUT)).isTrue();
        return balancer;
    }

    private BallastConfig config(String pools, String more) throws Exception {
        Path file = Files.writeString(directory.resolve("config.yaml"), """
                listeners: [{bind: "127.0.0.1:0", routes: [{respond: {status: 204}}]}]
                dashboard: {bind: "127.0.0.1:0"}
                data_dir: %s
                """.formatted(directory) + pools + "\n" + more);
        return ConfigLoader.ofProcess().load(file).config();
    }
}
