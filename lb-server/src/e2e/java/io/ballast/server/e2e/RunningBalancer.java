package io.ballast.server.e2e;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import io.ballast.server.compose.Balancer;
import io.ballast.server.demo.DemoBackend;
import io.ballast.server.testing.ExclusiveLoopback;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A complete balancer on free ports with small backends, which can be stopped one by one. Its state is in the given
 * directory.
 */
final class RunningBalancer implements AutoCloseable {

    private static final Duration MAX_WAIT = Duration.ofMinutes(1);

    private final List<DemoBackend> backends;
    private final HttpClient client = HttpClient.newHttpClient();
    private final BallastConfig config;
    private Balancer balancer;

    /** Starts a balancer with one pool, {@code web}, of {@code count} backends. */
    RunningBalancer(Path directory, int count) throws Exception {
        this(directory, count, "");
    }

    /** @param dashboard further keys of the dashboard section, indented by two blanks */
    RunningBalancer(Path directory, int count, String dashboard) throws Exception {
        this(directory, startBackends(count), dashboard);
    }

    private RunningBalancer(Path directory, List<DemoBackend> backends, String dashboard) throws Exception {
        this(directory, backends, dashboard, """
                listeners:
                  - bind: 127.0.0.1:0
                    pool: web
                pools:
                  web:
                    strategy: round-robin
                    backends:
                %s
                    health: {type: http, path: /health, interval: 500ms, timeout: 1m, rise: 1, fall: 2}
                    connections: {connect_timeout: 1m}
                """.formatted(
                backends.stream().map(backend -> "      - " + backend.address()).collect(Collectors.joining("\n"))));
    }

    /** @param text the configuration without the dashboard section */
    RunningBalancer(Path directory, String text) throws Exception {
        this(directory, List.of(), "", text);
    }

    private RunningBalancer(Path directory, List<DemoBackend> backends, String dashboard, String text)
            throws Exception {
        this.backends = backends;
        Path file = Files.writeString(
                directory.resolve("config.yaml"),
                text
                        + """
                data_dir: %s
                dashboard:
                  bind: %s:%d
                """.formatted(directory.resolve("data"), ExclusiveLoopback.HOST, ExclusiveLoopback.freePort())
                        + dashboard);
        this.config = ConfigLoader.ofProcess().load(file).config();
        this.balancer = start();
    }

    private static List<DemoBackend> startBackends(int count) throws IOException {
        List<DemoBackend> started = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            started.add(DemoBackend.start(i));
        }
        return started;
    }

    private Balancer start() throws Exception {
        Balancer started = Balancer.start(config);
        if (!started.awaitFirstChecks(MAX_WAIT)) {
            throw new IllegalStateException("not every backend was checked");
        }
        return started;
    }

    String page() {
        InetSocketAddress address = balancer.dashboardAddress().orElseThrow();
        return "http://" + ExclusiveLoopback.HOST + ":" + address.getPort() + "/";
    }

    /** The backend's name on the page. */
    String name(int index) {
        return "web/" + backends.get(index).address();
    }

    void stopBackend(int index) {
        backends.get(index).close();
    }

    /** Sends requests through the balancer, one after the other, and checks that each is answered. */
    void request(int count) throws IOException, InterruptedException {
        URI target = URI.create("http://127.0.0.1:" + balancer.http().port(0) + "/");
        for (int i = 0; i < count; i++) {
            int status = client.send(HttpRequest.newBuilder(target).build(), BodyHandlers.discarding())
                    .statusCode();
            if (status != 200) {
                throw new IllegalStateException("status " + status + " (expected: 200)");
            }
        }
    }

    void stop() {
        balancer.close();
    }

    /** Starts the balancer again, at the same addresses. */
    void restart() throws Exception {
        balancer = start();
    }

    @Override
    public void close() {
        balancer.close();
        backends.forEach(DemoBackend::close);
    }
}
