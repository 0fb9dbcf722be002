package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.load.ConfigLoader;
import io.ballast.server.testing.ExclusiveLoopback;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the readiness that the balancer reports. */
class ReadinessTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    /** An address without a listener. */
    private static final String CLOSED = "127.0.0.1:1";

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    /** Tests two listeners: one has only a dead pool, the other has a dead pool and a live pool. */
    @ParameterizedTest
    @CsvSource({
        "every_listener, 503, listener front has no usable backend",
        "every_pool, 503, pool dead has no usable backend",
        "started, 200, ready"
    })
    void followsWhatTheConfigurationAsksFor(String readyWhen, int status, String reason) throws Exception {
        try (ServerSocket live = listen();
                Balancer balancer = start("""
                    listeners:
                      - {name: front, bind: "127.0.0.1:0", pool: dead}
                      - name: both
                        bind: "127.0.0.1:0"
                        routes: [{match: {path: /a}, pool: dead}, {pool: live}]
                      - {name: fixed, bind: "127.0.0.1:0", routes: [{respond: {status: 204}}]}
                    pools:
                      dead: {backends: ["%s"]}
                      live: {backends: ["127.0.0.1:%d"], health: {timeout: 1m}}
                    dashboard: {bind: "127.0.0.1:0", ready_when: %s}
                    """.formatted(CLOSED, live.getLocalPort(), readyWhen))) {
            HttpResponse<String> ready = get(balancer, "/readyz");

            assertThat(ready.statusCode()).isEqualTo(status);
            assertThat(ready.body().trim()).isEqualTo(reason);
            assertThat(get(balancer, "/healthz").statusCode()).isEqualTo(200);
        }
    }

    /** A live pool of a route is not enough: its resolvers serve only some names. */
    @ParameterizedTest
    @CsvSource({
        "every_listener, 503, dns.forward: pool dead has no usable backend",
        "every_pool, 503, pool dead has no usable backend",
        "started, 200, ready"
    })
    void aForwarderNeedsAResolver(String readyWhen, int status, String reason) throws Exception {
        try (ServerSocket live = listen();
                Balancer balancer = start("""
                    dns:
                      listeners: [{bind: "127.0.0.1:0"}]
                      forward: {pool: dead, routes: [{suffix: corp.example, pool: live}]}
                    pools:
                      dead: {backends: ["%s"]}
                      live: {backends: ["127.0.0.1:%d"], health: {timeout: 1m}}
                    dashboard: {bind: "127.0.0.1:0", ready_when: %s}
                    """.formatted(CLOSED, live.getLocalPort(), readyWhen))) {
            HttpResponse<String> ready = get(balancer, "/readyz");

            assertThat(ready.statusCode()).isEqualTo(status);
            assertThat(ready.body().trim()).isEqualTo(reason);
        }
    }

    @Test
    void forwarderWithOneResolverIsReady() throws Exception {
        try (ServerSocket live = listen();
                Balancer balancer = start("""
                    dns:
                      listeners: [{bind: "127.0.0.1:0"}]
                      forward: {pool: live, routes: [{suffix: corp.example, pool: dead}]}
                    pools:
                      dead: {backends: ["%s"]}
                      live: {backends: ["127.0.0.1:%d"], health: {timeout: 1m}}
                    dashboard: {bind: "127.0.0.1:0"}
                    """.formatted(CLOSED, live.getLocalPort()))) {
            assertThat(get(balancer, "/readyz").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void poolWithOneBackendIsReady() throws Exception {
        try (ServerSocket live = listen();
                Balancer balancer = start("""
                    listeners:
                      - {name: front, bind: "127.0.0.1:0", pool: web}
                    pools:
                      web: {backends: ["%s", "127.0.0.1:%d"], health: {timeout: 1m}}
                    dashboard: {bind: "127.0.0.1:0"}
                    """.formatted(CLOSED, live.getLocalPort()))) {
            assertThat(get(balancer, "/readyz").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void zeroWeightBackendIsNotUsable() throws Exception {
        try (ServerSocket live = listen();
                Balancer balancer = start("""
                    listeners:
                      - {name: front, bind: "127.0.0.1:0", pool: web}
                    pools:
                      web: {backends: ["%s", {address: "127.0.0.1:%d", weight: 0}], health: {timeout: 1m}}
                    dashboard: {bind: "127.0.0.1:0"}
                    """.formatted(CLOSED, live.getLocalPort()))) {
            assertThat(get(balancer, "/readyz").statusCode()).isEqualTo(503);
            assertThat(get(balancer, "/stats").body()).contains("\"usable_count\":0");
        }
    }

    @Test
    void returnsWithBackend() throws Exception {
        int port = ExclusiveLoopback.freePort();
        try (Balancer balancer = start("""
            listeners:
              - {name: front, bind: "127.0.0.1:0", pool: web}
            pools:
              web: {backends: ["%s:%d"], health: {interval: 50ms, timeout: 1m, rise: 1}}
            dashboard: {bind: "127.0.0.1:0"}
            """.formatted(ExclusiveLoopback.HOST, port))) {
            assertThat(get(balancer, "/readyz").statusCode()).isEqualTo(503);

            try (ServerSocket back = listen(ExclusiveLoopback.HOST, port)) {
                long end = System.nanoTime() + TIMEOUT.toNanos();
                while (get(balancer, "/readyz").statusCode() != 200) {
                    assertThat(System.nanoTime()).as("ready in time").isLessThan(end);
                }
                assertThat(back.isBound()).isTrue();
            }
        }
    }

    @Test
    void isReadyAfterFirstChecksOrTimeout() throws Exception {
        try (ServerSocket silent = listen();
                Balancer balancer = open("""
                    listeners:
                      - {name: front, bind: "127.0.0.1:0", pool: web}
                    pools:
                      web: {backends: ["127.0.0.1:%d"], health: {type: http, timeout: 1h}}
                    dashboard: {bind: "127.0.0.1:0"}
                    """.formatted(silent.getLocalPort()))) {
            HttpResponse<String> ready = get(balancer, "/readyz");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body().trim()).isEqualTo("backends are being checked for the first time");

            assertThat(balancer.awaitFirstChecks(Duration.ofMillis(1))).isFalse();

            assertThat(get(balancer, "/readyz").statusCode())
                    .as("who was not checked yet takes traffic")
                    .isEqualTo(200);
        }
    }

    @Test
    void panicPoolIsNotReady() throws Exception {
        try (Balancer balancer = start("""
                    listeners:
                      - {name: front, bind: "127.0.0.1:0", pool: web}
                    pools:
                      web: {backends: ["%s"], panic_below: 50%%}
                    dashboard: {bind: "127.0.0.1:0"}
                    """.formatted(CLOSED))) {
            assertThat(get(balancer, "/readyz").statusCode()).isEqualTo(503);
            assertThat(get(balancer, "/stats").body()).contains("\"usable_count\":1,\"panic\":true");
        }
    }

    private Balancer start(String text) throws Exception {
        Balancer balancer = open(text);
        assertThat(balancer.awaitFirstChecks(TIMEOUT)).isTrue();
        return balancer;
    }

    private Balancer open(String text) throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), text);
        return Balancer.start(ConfigLoader.ofProcess().load(file).config());
    }

    private HttpResponse<String> get(Balancer balancer, String path) throws IOException, InterruptedException {
        int port = balancer.dashboardAddress().orElseThrow().getPort();
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static ServerSocket listen() throws IOException {
        return listen("127.0.0.1", 0);
    }

    private static ServerSocket listen(String host, int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
        return socket;
    }
}
