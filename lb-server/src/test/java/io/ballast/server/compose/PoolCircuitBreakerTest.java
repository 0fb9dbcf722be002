package io.ballast.server.compose;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ReloadReport.Outcome;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a whole process with a pool that fails and has a circuit breaker. */
class PoolCircuitBreakerTest {

    private final NamedServers servers = new NamedServers();

    @TempDir
    private Path directory;

    private @Nullable StartedBalancer running;

    @AfterEach
    void close() {
        servers.close();
        running().close();
    }

    @Test
    void failingPoolIsReplacedByItsFallback() throws Exception {
        int failing = servers.answering(() -> 500);
        int reserve = servers.add("reserve");
        start(config(
                failing, reserve, "circuit_breaker: {min_requests: 2, open: 1h, max_open: 1h, fallback: reserve}"));

        assertThat(running().get("/").statusCode()).isEqualTo(500);
        assertThat(running().get("/").statusCode()).isEqualTo(500);
        running().awaitEvent("web circuit breaker open for 1h: 2 of 2 requests failed within 10s");

        assertThat(running().get("/").body()).isEqualTo("reserve");
    }

    @Test
    void reloadKeepsTheStateWhileTheKeysAreUnchanged() throws Exception {
        int failing = servers.answering(() -> 500);
        int reserve = servers.add("reserve");
        String breaker = "circuit_breaker: {min_requests: 1, open: 1h, max_open: 1h}";
        start(config(failing, reserve, breaker));
        running().get("/");
        running().awaitEvent("circuit breaker open");

        assertThat(running()
                        .reload(config(failing, reserve, breaker + ", slow_start: 1s"))
                        .outcome())
                .isEqualTo(Outcome.APPLIED);
        assertThat(running().get("/").statusCode()).isEqualTo(503);

        assertThat(running().reload(config(failing, reserve, "slow_start: 1s")).outcome())
                .isEqualTo(Outcome.APPLIED);
        assertThat(running().get("/").statusCode()).isEqualTo(500);
    }

    private String config(int failing, int reserve, String keys) {
        return """
                data_dir: %s
                listeners:
                  - {name: front, bind: "127.0.0.1:0", pool: web}
                pools:
                  web: {backends: ["127.0.0.1:%d"], health: {type: none}, outlier: off, %s}
                  reserve: {backends: ["127.0.0.1:%d"], health: {type: none}}
                dashboard: {bind: "127.0.0.1:0"}
                """.formatted(directory.resolve("data"), failing, keys, reserve);
    }

    private void start(String text) throws Exception {
        running = StartedBalancer.start(directory, text);
    }

    private StartedBalancer running() {
        return requireNonNull(running);
    }
}
