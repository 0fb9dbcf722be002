package io.ballast.server.compose;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.BackendState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a whole process with three healthy backends, and one that passes its checks but fails requests. */
class OutlierTest {

    private static final int WELL = 3;

    private final NamedServers servers = new NamedServers();
    private final List<AutoCloseable> closing = new ArrayList<>();
    private final List<Integer> well = new ArrayList<>();
    private final AtomicInteger failedAnswers = new AtomicInteger();

    @TempDir
    private Path directory;

    private volatile int status = 503;
    private @Nullable StartedBalancer running;

    @BeforeEach
    void startBackends() throws IOException {
        for (int i = 0; i < WELL; i++) {
            well.add(servers.answering(() -> 200));
        }
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : closing) {
            each.close();
        }
        servers.close();
        running().close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"round-robin", "least-connection", "power-of-two"})
    void backendAnswering503IsEjected(String strategy) throws Exception {
        start(servers.answering(() -> status), strategy, "{ejection: 1h, max_ejection: 1h}");

        queryUntil(this::isOut);

        assertThat(failing().health().state()).isEqualTo(BackendState.EJECTED);
        assertThat(failing().health().reason()).endsWith("requests failed: status 503; ejected for 1h");
        int failedBefore = failedAnswers.get();
        for (int i = 0; i < 200; i++) {
            request();
        }
        assertThat(failedAnswers).hasValue(failedBefore);
        running().awaitEvent("ejected: ");
    }

    @Test
    void backendFailingHalfIsEjectedByShare() throws Exception {
        AtomicInteger queries = new AtomicInteger();
        int port = servers.answering(() -> queries.incrementAndGet() % 2 == 0 ? 503 : 200);
        start(port, "round-robin", "{consecutive_errors: 100, ejection: 1h, max_ejection: 1h}");

        queryUntil(this::isOut);

        assertThat(failing().health().reason())
                .matches("\\d+ of \\d+ requests failed in \\d+ s, elsewhere 0 of \\d+; ejected for 1h");
    }

    @Test
    void leastResponseTimeIgnoresFastFailures() throws Exception {
        start(servers.answering(() -> status), "least-response-time", "off");

        for (int i = 0; i < 300; i++) {
            request();
        }

        assertThat(failedAnswers.get()).isLessThan(5);
    }

    @Test
    void resettingBackendIsEjectedWithoutFailedRequest() throws Exception {
        start(resetting(), "round-robin", "{ejection: 1h, max_ejection: 1h}");

        queryUntil(this::isOut);
        for (int i = 0; i < 100; i++) {
            request();
        }

        assertThat(failedAnswers).as("each was tried elsewhere").hasValue(0);
    }

    @Test
    void recoveredBackendServesAfterEjection() throws Exception {
        start(servers.answering(() -> status), "round-robin", "{ejection: 100ms, max_ejection: 1h}");
        queryUntil(this::isOut);
        queryUntil(() -> failing().ejections() >= 2); // the backend was ejected again

        status = 200;

        int failedBefore = failedAnswers.get();
        long served = failing().stats().sum(BackendCounter.RESPONSES_2XX);
        queryUntil(() -> failing().stats().sum(BackendCounter.RESPONSES_2XX) > served + 10);
        assertThat(failing().health().state()).isEqualTo(BackendState.UP);
        assertThat(failedAnswers).hasValue(failedBefore);
    }

    @Test
    void reloadChangesAndDisablesEjection() throws Exception {
        status = 500;
        int port = servers.answering(() -> status);
        start(port, "round-robin", "{ejection: 1h, max_ejection: 1h}");
        for (int i = 0; i < 200; i++) {
            request();
        }
        assertThat(failing().health().state()).as("500 is the application's").isEqualTo(BackendState.UP);

        running().reload(file(port, "round-robin", "{status: 500-599, ejection: 1h, max_ejection: 1h}"));
        queryUntil(this::isOut);
        running().reload(file(port, "round-robin", "off"));

        StartedBalancer.await(() -> failing().health().state() == BackendState.UP);
        assertThat(failing().health().reason()).isEqualTo("outlier detection is off");
    }

    // ---- shared helpers

    private void start(int failing, String strategy, String outlier) throws Exception {
        running = StartedBalancer.start(directory, file(failing, strategy, outlier));
    }

    private StartedBalancer running() {
        return requireNonNull(running);
    }

    private String file(int failing, String strategy, String outlier) {
        List<String> backends = new ArrayList<>();
        backends.add("\"127.0.0.1:" + failing + "\"");
        well.forEach(port -> backends.add("\"127.0.0.1:" + port + "\""));
        return """
                listeners:
                  - {name: front, bind: "127.0.0.1:0", pool: web}
                pools:
                  web: {strategy: %s, backends: [%s], outlier: %s, retry: {budget: {ratio: 100%%}}, health: {timeout: 1m}}
                dashboard: {enabled: false}
                """.formatted(strategy, String.join(", ", backends), outlier);
    }

    private Backend failing() {
        return running().balancer().topology().pool("web").members().get(0).backend();
    }

    /** Whether requests go only to the healthy backends. The state of the failing backend changes a little earlier. */
    private boolean isOut() {
        return running().balancer().topology().pool("web").snapshot().usable().size() == WELL;
    }

    private void queryUntil(BooleanSupplier condition) throws Exception {
        long end = System.nanoTime() + StartedBalancer.TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            request();
        }
    }

    private void request() throws IOException, InterruptedException {
        if (running().get("/").statusCode() != 200) {
            failedAnswers.incrementAndGet();
        }
    }

    /** Accepts each connection, and resets it. */
    private int resetting() throws IOException {
        ServerSocket server = new ServerSocket(0, /* backlog= */ 50, InetAddress.getLoopbackAddress());
        closing.add(server);
        Thread accepting = new Thread(() -> {
            try {
                while (true) {
                    try (Socket accepted = server.accept()) {
                        accepted.setSoLinger(/* on= */ true, 0);
                    }
                }
            } catch (IOException e) {
                // the test has ended and closed the server
            }
        });
        accepting.setDaemon(true);
        accepting.start();
        return server.getLocalPort();
    }
}
