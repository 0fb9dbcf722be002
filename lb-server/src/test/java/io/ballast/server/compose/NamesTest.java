package io.ballast.server.compose;

import static io.ballast.server.compose.StartedBalancer.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.HealthStatus;
import io.ballast.discovery.names.LoopbackDns;
import java.io.IOException;
import java.net.BindException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a whole process while the answers of its DNS server change. */
class NamesTest {

    private static final String FIRST = "127.0.0.1";
    private static final String SECOND = "127.0.0.2";
    private static final int TTL = 1;

    private final NamedServers servers = new NamedServers();
    private final LoopbackDns dns = new LoopbackDns();

    @TempDir
    private Path directory;

    private @Nullable StartedBalancer running;

    NamesTest() throws IOException {}

    @AfterEach
    void close() {
        servers.close();
        running().close();
        dns.close();
    }

    @Test
    void newRequestsUseNewAddress() throws Exception {
        int port = addBoth();
        dns.set("app.test", TTL, FIRST);
        start(port);
        CompletableFuture<HttpResponse<String>> slow = running().getLater("/slow");
        assertThat(servers.awaitSlow()).isTrue();

        dns.set("app.test", TTL, SECOND);

        await(() -> get().equals(SECOND));
        await(() -> running().dnsAnswers().equals(Set.of(SECOND)));
        running().awaitEvent("web/app.test:" + port + " moves from 127.0.0.1 to 127.0.0.2");
        assertThat(slow).isNotDone();
        servers.answerSlow();
        assertThat(slow.get(StartedBalancer.TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                        .body())
                .isEqualTo(FIRST);
    }

    @Test
    void unresolvedNameComesUpLater() throws Exception {
        int port = servers.add(FIRST);
        start(port);
        HealthStatus status = health();
        assertThat(status.state().label()).isEqualTo("down");
        assertThat(status.reason()).isEqualTo("no address: app.test");
        assertThat(running().get("/").statusCode()).isEqualTo(503);

        dns.set("app.test", TTL, FIRST);

        await(() -> get().equals(FIRST));
        running().awaitEvent("web/app.test:" + port + " down: no address: app.test");
        running().awaitEvent("web/app.test:" + port + " resolved to 127.0.0.1");
    }

    @Test
    void failedLookupsKeepAddress() throws Exception {
        int port = servers.add(FIRST);
        dns.set("app.test", TTL, FIRST);
        start(port);
        dns.failing(true);
        int queries = dns.queryCount();

        await(() -> dns.queryCount() > queries + 1);

        assertThat(get()).isEqualTo(FIRST);
        assertThat(health().state().label()).isEqualTo("up");
    }

    // ---- shared helpers

    /**
     * Starts a server at each address, on the same port. A port that is free at one address may be in use at the other
     * address.
     */
    private int addBoth() throws IOException {
        while (true) {
            int port = servers.add(FIRST);
            try {
                return servers.add(SECOND, SECOND, port);
            } catch (BindException e) {
                assertThat(e).hasMessageContaining("in use");
            }
        }
    }

    private void start(int port) throws Exception {
        running = StartedBalancer.start(directory, """
                listeners:
                  - {bind: "127.0.0.1:0", pool: web}
                pools:
                  web:
                    backends: ["app.test:%d"]
                    health: {type: tcp, interval: 1s, fast_interval: 100ms, timeout: 1m, rise: 1}
                dns:
                  listeners: [{bind: "127.0.0.1:0"}]
                  zones:
                    - name: example.org
                      services: [{name: www, pool: web, ttl: 10s}]
                dashboard: {enabled: false}
                """.formatted(port), dns.lookup());
    }

    private StartedBalancer running() {
        return requireNonNull(running);
    }

    private HealthStatus health() {
        return running()
                .balancer()
                .topology()
                .pool("web")
                .members()
                .get(0)
                .backend()
                .health();
    }

    private String get() throws IOException, InterruptedException {
        return running().get("/").body();
    }
}
