package io.ballast.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.load.ConfigLoader;
import io.ballast.server.compose.Balancer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the five configurations of Divisor's benchmark report produce the shares in its "Server stats"
 * tables. The files are read as printed; only their ports are replaced by free ones.
 */
class DivisorScenariosTest {

    private static final Path EXAMPLES = Path.of("../config/divisor");
    private static final List<String> PUBLISHED_PORTS = List.of("8080", "7070", "6060", "5050");
    private static final int CLIENTS = 16;
    private static final int REQUESTS_PER_CLIENT = 50;
    private static final int REQUESTS = CLIENTS * REQUESTS_PER_CLIENT;

    private final List<CountingBackend> backends = new ArrayList<>();

    private final AtomicInteger responses = new AtomicInteger();
    private volatile Runnable onHalfTime = () -> {};

    @TempDir
    private Path directory;

    @BeforeEach
    void startBackends() throws Exception {
        for (int i = 0; i < PUBLISHED_PORTS.size(); i++) {
            backends.add(CountingBackend.start());
        }
    }

    @AfterEach
    void stopBackends() {
        backends.forEach(CountingBackend::close);
    }

    @Test
    void roundRobinIsEven() throws Exception {
        List<Long> shares = run("round-robin");

        assertThat(shares).containsExactly(200L, 200L, 200L, 200L);
    }

    @Test
    void weightedRoundRobinFollowsWeights() throws Exception {
        List<Long> shares = run("w-round-robin");

        assertThat(shares).containsExactly(400L, 160L, 160L, 80L);
    }

    @Test
    void randomIsNearlyEven() throws Exception {
        List<Long> shares = run("random");

        // The limits are seven standard deviations from the expected 200 requests; for 800 draws, one standard
        // deviation is 12.2 requests.
        assertThat(shares).allSatisfy(share -> assertThat(share).isBetween(115L, 285L));
        assertThat(shares.stream().mapToLong(Long::longValue).sum()).isEqualTo(REQUESTS);
    }

    @Test
    void ipHashKeepsBackend() throws Exception {
        List<Long> shares = run("ip-hash");

        assertThat(shares).containsOnly(0L, (long) REQUESTS).containsOnlyOnce((long) REQUESTS);
    }

    @Test
    void leastConnectionAvoidsSlowBackend() throws Exception {
        CountingBackend slow = backends.get(0);
        slow.holdRequests();
        AtomicLong sentToSlow = new AtomicLong();
        onHalfTime = () -> {
            sentToSlow.set(slow.requests());
            slow.release();
        };

        run("least-connection");

        // The slow backend may hold at most as many requests as any other: a quarter of the clients, except for ties.
        assertThat(sentToSlow.get()).isBetween(1L, CLIENTS / 2L);
    }

    /** Sends the requests over one connection per client; returns how many requests each backend received. */
    private List<Long> run(String scenario) throws Exception {
        try (Balancer balancer = Balancer.start(
                ConfigLoader.ofProcess().load(withFreePorts(scenario)).config())) {
            URI uri = URI.create("http://127.0.0.1:" + balancer.http().port(0) + "/");
            List<CompletableFuture<Void>> clients = IntStream.range(0, CLIENTS)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> client(uri), task -> new Thread(task).start()))
                    .toList();
            for (CompletableFuture<Void> client : clients) {
                client.get();
            }
        }
        return backends.stream().map(CountingBackend::requests).toList();
    }

    private void client(URI uri) {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        try {
            for (int i = 0; i < REQUESTS_PER_CLIENT; i++) {
                HttpResponse<String> response =
                        client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
                assertThat(response.statusCode()).isEqualTo(200);
                if (responses.incrementAndGet() == REQUESTS / 2) {
                    onHalfTime.run();
                }
            }
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Path withFreePorts(String scenario) throws Exception {
        String text = Files.readString(EXAMPLES.resolve(scenario + ".yaml"));
        for (int i = 0; i < PUBLISHED_PORTS.size(); i++) {
            text = text.replace(
                    "localhost:" + PUBLISHED_PORTS.get(i),
                    "localhost:" + backends.get(i).port());
        }
        text = text.replace("port: 8000", "port: 0") + "\nmonitoring: {port: 0}\n";
        return Files.writeString(directory.resolve(scenario + ".yaml"), text);
    }
}
