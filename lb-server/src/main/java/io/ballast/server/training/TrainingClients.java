package io.ballast.server.training;

import io.ballast.core.config.HostPort;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients that use each service of a balancer: its listener, its dashboard and its DNS zone. They use
 * plain sockets, because the class archive would otherwise also contain classes that only these clients
 * need.
 */
public final class TrainingClients {

    /**
     * The number of requests: enough to record method profiles in the class archive of Java 25. They take about
     * one second.
     */
    private static final int REQUESTS = 2_000;

    /** Number of clients that are connected at once. They use a third of 1,024 file descriptors. */
    private static final int CLIENTS = 100;

    /** Number of times that these clients connect. */
    private static final int ROUNDS = 6;

    private static final int BODY_BYTES = 48 * 1024;

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    private static final List<String> DASHBOARD_PATHS = List.of(
            "/",
            "/docs/api.md",
            "/stats",
            "/api/v1/pools",
            "/api/v1/events",
            "/api/v1/health",
            "/healthz",
            "/readyz",
            "/metrics",
            "/no-such-path");

    private final HostPort http;
    private final HostPort dns;
    private final HostPort dashboard;

    public TrainingClients(HostPort http, HostPort dns, HostPort dashboard) {
        this.http = http;
        this.dns = dns;
        this.dashboard = dashboard;
    }

    /**
     * Waits until the balancer is ready, uses each of its services, and returns.
     *
     * @param name a name of the balancer's zone
     * @param file the configuration file of the balancer; this method changes it
     * @throws IOException if a request is not answered
     */
    public void useServices(String name, Path file) throws IOException {
        awaitReady();
        try (TrainingHttpClient client = new TrainingHttpClient(http)) {
            for (int i = 0; i < REQUESTS; i++) {
                client.checkStatus(200, client.get("/training/" + i % 7));
            }
            client.checkStatus(200, client.post("/training", "text of some length"));
            client.checkStatus(200, client.postChunked("/training", "text in a chunk"));
        }
        try (TrainingHttpClient client = new TrainingHttpClient(http)) {
            client.checkStatus(400, client.send("nonsense\r\n\r\n"));
        }
        for (int i = 0; i < ROUNDS; i++) {
            connectMany();
        }
        TrainingDnsClient resolver = new TrainingDnsClient(dns);
        for (int i = 0; i < REQUESTS; i++) {
            resolver.queryByUdp(name);
        }
        resolver.queryByTcp(name);
        TrainingZones.use(resolver);
        for (String path : DASHBOARD_PATHS) {
            try (TrainingHttpClient client = new TrainingHttpClient(dashboard)) {
                client.checkStatus(path.equals("/no-such-path") ? 404 : 200, client.get(path));
            }
        }
        TrainingConfig.change(file);
        try (TrainingHttpClient client = new TrainingHttpClient(dashboard)) {
            client.checkStatus(200, client.post("/api/v1/reload", ""));
        }
        try (TrainingHttpClient page = new TrainingHttpClient(dashboard)) {
            page.checkStatus(200, page.begin("/api/v1/stream"));
        }
    }

    /** Sends a request on each of many new connections, and then an upload that its backend does not read. */
    private void connectMany() throws IOException {
        List<TrainingHttpClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                TrainingHttpClient client = new TrainingHttpClient(http);
                clients.add(client);
                client.checkStatus(200, client.post("/training", "x".repeat(BODY_BYTES)));
            }
            for (TrainingHttpClient client : clients) {
                client.beginUpload(TrainingConfig.STALLING_PATH, BODY_BYTES);
            }
        } finally {
            for (TrainingHttpClient client : clients) {
                client.reset();
            }
        }
    }

    private void awaitReady() throws IOException {
        long end = System.nanoTime() + MAX_WAIT.toNanos();
        while (!isReady()) {
            if (System.nanoTime() - end > 0) {
                throw new IOException("not ready after " + MAX_WAIT.toSeconds() + " s");
            }
            Thread.onSpinWait();
        }
    }

    private boolean isReady() {
        try (TrainingHttpClient client = new TrainingHttpClient(dashboard)) {
            return client.get("/readyz") == 200;
        } catch (IOException e) {
            return false; // the balancer does not listen yet
        }
    }
}
