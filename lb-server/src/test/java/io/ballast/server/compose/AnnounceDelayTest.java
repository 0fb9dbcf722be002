package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the time between the first failed readiness probe of a shutdown and the time when the process stops accepting
 * connections.
 */
class AnnounceDelayTest {

    private static final Duration ENDLESS = Duration.ofHours(1);

    @TempDir
    private Path directory;

    @Test
    void servesNewConnectionsWhileReadinessFails() throws Exception {
        try (StartedBalancer started = start()) {
            CompletableFuture<Integer> shutdown = shutDown(started, ENDLESS);

            StartedBalancer.await(() -> readiness(started) == 503);

            assertThat(started.get("/").statusCode()).isEqualTo(200);
            assertThat(shutdown).isNotDone();
            started.balancer().closeAllConnections();
            assertThat(shutdown.get(1, TimeUnit.MINUTES)).isNotNull();
        }
    }

    @Test
    void failedThreadEndsTheDelay() throws Exception {
        try (StartedBalancer started = start()) {
            CompletableFuture<Integer> shutdown = shutDown(started, ENDLESS);
            StartedBalancer.await(() -> readiness(started) == 503);

            started.balancer()
                    .workers()
                    .all()
                    .get(1)
                    .eventLoop()
                    .shutdownGracefully(0, 0, TimeUnit.SECONDS)
                    .sync();

            // Closing a listener of an event loop that has ended may fail; only the end of the wait matters here.
            shutdown.handle((cut, failure) -> true).get(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void readsTheDelayOfTheFile() throws Exception {
        try (StartedBalancer started = start()) {
            assertThat(started.balancer().announceDelay()).isEqualTo(Duration.ofSeconds(7));
        }
    }

    private StartedBalancer start() throws Exception {
        return StartedBalancer.start(directory, """
                event_loops: 2
                announce_delay: 7s
                grace: 1s
                dashboard: {bind: "127.0.0.1:0"}
                listeners:
                  - bind: "127.0.0.1:0"
                    routes: [{respond: {status: 200}}]
                """);
    }

    private static CompletableFuture<Integer> shutDown(StartedBalancer started, Duration announceDelay) {
        CompletableFuture<Integer> end = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        end.complete(started.balancer().shutDown(announceDelay, Duration.ofSeconds(1)));
                    } catch (RuntimeException | Error e) {
                        end.completeExceptionally(e);
                    }
                },
                "shutdown of the test");
        thread.setDaemon(true);
        thread.start();
        return end;
    }

    private static int readiness(StartedBalancer started) throws Exception {
        return started.request(started.dashboard(), "GET", "/readyz").statusCode();
    }
}
