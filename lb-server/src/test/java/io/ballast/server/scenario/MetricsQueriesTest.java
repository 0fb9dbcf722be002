package io.ballast.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.ballast.config.load.ConfigLoader;
import io.ballast.server.compose.Balancer;
import io.ballast.server.scenario.Scrape.Sample;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the queries of docs/metrics.md, evaluated over {@code /metrics} before and after some traffic,
 * show what clients saw: in an outage, with retries, with errors of a backend, and without requests.
 */
class MetricsQueriesTest {

    private static final Path DOCUMENT = Path.of("../docs/metrics.md");
    private static final String SHARE_BY_LISTENER = "ballast_listener_errors_total";
    private static final String SHARE_BY_POOL = "ballast_pool_errors_total";
    private static final int REQUESTS = 20;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    private Path directory;

    private HttpServer backend;
    private int closedPorts;

    @BeforeEach
    void startBackend() throws IOException {
        backend = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        backend.createContext("/", exchange -> {
            exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals("/bad") ? 500 : 200, -1);
            exchange.close();
        });
        backend.start();
    }

    @AfterEach
    void stopBackend() {
        backend.stop(0);
    }

    @Test
    void outageCountsEveryRequestAsError() throws Exception {
        try (Balancer balancer = start("[\"127.0.0.1:%d\", \"127.0.0.1:%d\"]".formatted(closedPort(), closedPort()))) {
            Traffic traffic = traffic(balancer, "/", 503);

            assertThat(traffic.one(SHARE_BY_LISTENER)).isEqualTo(1);
            assertThat(traffic.one(SHARE_BY_POOL)).isEqualTo(1);
            assertThat(traffic.one("ballast_listener_requests_total")).isEqualTo(REQUESTS);
            assertThat(traffic.result("ballast_listener_failures_total"))
                    .extracting(sample -> sample.labels().get("kind"))
                    .containsExactly("none_up");
            assertThat(traffic.result("ballast_pool_usable_backends"))
                    .extracting(Sample::labels)
                    .containsExactly(Map.of("pool", "web"));
            assertThat(traffic.result("ballast_backend_state")).hasSize(2);
            assertThat(traffic.result("ballast_ready")).hasSize(1);
            assertThat(traffic.result("ballast_backend_responses_total")).isEmpty();
            assertThat(traffic.result("ballast_pool_response_time")).isEmpty();
            traffic.assertSound();
        }
    }

    @Test
    void successfulRetryIsNoClientError() throws Exception {
        try (Balancer balancer =
                start("[\"127.0.0.1:%d\", \"127.0.0.1:%d\"], health: {type: none}".formatted(closedPort(), port()))) {
            Traffic traffic = traffic(balancer, "/", 200);

            assertThat(traffic.one(SHARE_BY_LISTENER)).isZero();
            assertThat(traffic.one(SHARE_BY_POOL)).isZero();
            assertThat(traffic.result("ballast_backend_failures_total"))
                    .extracting(sample -> sample.labels().get("kind"))
                    .containsExactly("connect_refused");
            assertThat(traffic.result("ballast_listener_failures_total")).isEmpty();
            assertThat(traffic.one("ballast_pool_response_time")).isPositive();
            traffic.assertSound();
        }
    }

    @Test
    void failedAttemptsCountOncePerRequest() throws Exception {
        try (Balancer balancer = start(
                "[\"127.0.0.1:%d\", \"127.0.0.1:%d\"], health: {type: none}".formatted(closedPort(), closedPort()))) {
            Traffic traffic = traffic(balancer, "/", 502, 503);

            assertThat(traffic.one(SHARE_BY_LISTENER)).isEqualTo(1);
            assertThat(traffic.one(SHARE_BY_POOL)).isEqualTo(1);
            traffic.assertSound();
        }
    }

    @Test
    void backendErrorsCountOnce() throws Exception {
        try (Balancer balancer = start("[\"127.0.0.1:%d\"], health: {timeout: 1m}".formatted(port()))) {
            Scrape before = scrape(balancer);
            traffic(balancer, "/", 200);
            traffic(balancer, "/bad", 500);
            Traffic traffic = new Traffic(before, scrape(balancer));

            assertThat(traffic.one(SHARE_BY_LISTENER)).isEqualTo(0.5);
            assertThat(traffic.one(SHARE_BY_POOL)).isEqualTo(0.5);
            assertThat(traffic.one("ballast_backend_responses_total")).isEqualTo(0.5);
            traffic.assertSound();
        }
    }

    @Test
    void idlePoolHasNoErrorShare() throws Exception {
        try (Balancer balancer = start("[\"127.0.0.1:%d\"], health: {timeout: 1m}".formatted(port()))) {
            Traffic traffic = new Traffic(scrape(balancer), scrape(balancer));

            assertThat(traffic.result(SHARE_BY_LISTENER)).isEmpty();
            assertThat(traffic.result(SHARE_BY_POOL)).isEmpty();
            assertThat(traffic.result("ballast_pool_response_time")).isEmpty();
            traffic.assertSound();
        }
    }

    /** Evaluates the queries for the traffic between two scrapes. */
    private record Traffic(Scrape before, Scrape after) {

        /** Returns the result of the only query whose text contains {@code metric}. */
        List<Sample> result(String metric) throws IOException {
            List<String> pending =
                    queries().stream().filter(query -> query.contains(metric)).toList();
            assertThat(pending).as("queries about " + metric).hasSize(1);
            return PromQuery.evaluate(pending.get(0), before, after);
        }

        double one(String metric) throws IOException {
            List<Sample> result = result(metric);
            assertThat(result).hasSize(1);
            return result.get(0).value();
        }

        /** Checks that no query has a meaningless result, and that no share exceeds 1. */
        void assertSound() throws IOException {
            for (String query : queries()) {
                assertThat(PromQuery.evaluate(query, before, after)).as(query).allSatisfy(sample -> {
                    assertThat(sample.value()).isFinite().isNotNegative();
                    if (query.contains("/")) {
                        assertThat(sample.value()).isLessThanOrEqualTo(1);
                    }
                });
            }
        }
    }

    /** Returns the indented blocks below the heading. */
    private static List<String> queries() throws IOException {
        String text = Files.readString(DOCUMENT);
        String section = text.substring(text.indexOf("## Example queries"));
        List<String> queries = Arrays.stream(section.split("\n\n"))
                .filter(block -> block.startsWith("    "))
                .toList();
        assertThat(queries).hasSizeGreaterThan(5);
        return queries;
    }

    private Balancer start(String backends) throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), """
            listeners:
              - {name: front, bind: "127.0.0.1:0", pool: web}
            pools:
              web: {backends: %s}
            dashboard: {bind: "127.0.0.1:0"}
            """.formatted(backends));
        Balancer balancer = Balancer.start(ConfigLoader.ofProcess().load(file).config());
        balancer.awaitFirstChecks(Duration.ofSeconds(20));
        return balancer;
    }

    /** Sends requests, one after the other, each of which must be answered with one of these statuses. */
    private Traffic traffic(Balancer balancer, String path, Integer... statuses) throws Exception {
        Scrape before = scrape(balancer);
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(get(balancer.http().port(0), path).statusCode()).isIn((Object[]) statuses);
        }
        return new Traffic(before, quiet(balancer));
    }

    /** Scrapes until no request is in flight: a client gets its answer a moment before its request ends. */
    private Scrape quiet(Balancer balancer) throws Exception {
        Scrape scrape = scrape(balancer);
        while (scrape.named("ballast_listener_in_flight").get(0).value() > 0) {
            scrape = scrape(balancer);
        }
        return scrape;
    }

    private Scrape scrape(Balancer balancer) throws Exception {
        return Scrape.of(get(balancer.dashboardAddress().orElseThrow().getPort(), "/metrics")
                .body());
    }

    private HttpResponse<String> get(int port, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private int port() {
        return backend.getAddress().getPort();
    }

    /** Returns a different unused port each time. */
    private int closedPort() {
        return ++closedPorts;
    }
}
