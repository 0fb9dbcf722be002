package io.ballast.server.compose;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.ReloadReport.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the messages that a whole process sends to a collector; names are found in these messages without decoding
 * them.
 */
class TelemetryTest {

    private final NamedServers servers = new NamedServers();
    private final List<String> traces = new CopyOnWriteArrayList<>();
    private final List<String> metrics = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory;

    private HttpServer collector;
    private String backend = "";
    private @Nullable StartedBalancer running;

    @BeforeEach
    void startServers() throws Exception {
        backend = "127.0.0.1:" + servers.add("one");
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/traces", exchange -> record(exchange, traces));
        collector.createContext("/v1/metrics", exchange -> record(exchange, metrics));
        collector.start();
    }

    private static void record(HttpExchange exchange, List<String> target) throws IOException {
        target.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    @AfterEach
    void close() {
        servers.close();
        if (running != null) {
            running.close();
        }
        collector.stop(0);
    }

    private StartedBalancer start(String text) throws Exception {
        running = StartedBalancer.start(directory, text);
        return requireNonNull(running);
    }

    private String config(String otlp) {
        return """
            policies:
              trace: {tracing: {sample: 100%%}}
            %s
            listeners:
              - {bind: 127.0.0.1:0, policies: [trace], pool: web}
            pools:
              web: {backends: ["%s"]}
            dashboard: {bind: 127.0.0.1:0}
            data_dir: data
            """.formatted(otlp, backend);
    }

    private String otlp(String more) {
        return "otlp: {endpoint: \"http://127.0.0.1:" + collector.getAddress().getPort() + "\", interval: 1s" + more
                + "}";
    }

    private static String metricsPage(StartedBalancer balancer) {
        try {
            return balancer.request(balancer.dashboard(), "GET", "/metrics").body();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void tracesAndMetricsArrive() throws Exception {
        StartedBalancer balancer = start(config(otlp("")));
        balancer.get("/traced");

        StartedBalancer.await(() -> traces.stream().anyMatch(message -> message.contains("/traced")));
        assertThat(traces.get(0)).contains("http.route", "service.name", "ballast", "network.protocol.version");
        StartedBalancer.await(() -> metrics.stream().anyMatch(message -> message.contains("jvm_memory_used_bytes")));
        String all = String.join("", metrics);
        assertThat(all)
                .contains(
                        "ballast_pool_requests_total",
                        "ballast_pool_response_time_seconds",
                        "ballast_policy_requests_total",
                        "ballast_listener_access_log_dropped_total",
                        "process_cpu_seconds_total");
        Pattern sent = Pattern.compile("ballast_otlp_spans_total [1-9]");
        StartedBalancer.await(
                () -> sent.matcher(metricsPage(balancer)).find()); // counted after the collector's response
        String text = metricsPage(balancer);
        assertThat(text).contains("ballast_otlp_lost_spans_total 0");
        List<String> names = text.lines()
                .filter(line -> line.startsWith("# TYPE "))
                .map(line -> line.split(" ")[2])
                .filter(name -> text.contains("\n" + name + "{") || text.contains("\n" + name + " "))
                .toList();
        for (String name : names) {
            StartedBalancer.await(() -> metrics.stream().anyMatch(message -> message.contains(name)));
        }
    }

    @Test
    void reloadBeginsAndEndsTheExport() throws Exception {
        StartedBalancer balancer = start(config(""));
        balancer.get("/before");
        assertThat(balancer.request(balancer.dashboard(), "GET", "/metrics").body())
                .doesNotContain("ballast_otlp");

        assertThat(balancer.reload(config(otlp(", metrics: false"))).outcome()).isEqualTo(Outcome.APPLIED);
        balancer.get("/during");
        StartedBalancer.await(() -> traces.stream().anyMatch(message -> message.contains("/during")));

        assertThat(balancer.reload(config("")).outcome()).isEqualTo(Outcome.APPLIED);
        balancer.get("/after");
        balancer.close();
        running = null;
        assertThat(String.join("", traces)).doesNotContain("/before").doesNotContain("/after");
        assertThat(metrics).isEmpty();
    }

    @Test
    void missingCaFileRefusesTheReload() throws Exception {
        StartedBalancer balancer = start(config(otlp(", metrics: false")));

        ReloadReport refused = balancer.reload(config(otlp(", trusted_ca: missing.pem")));

        assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(refused.toString()).contains("otlp.trusted_ca").contains("missing.pem");
        balancer.get("/still");
        StartedBalancer.await(() -> traces.stream().anyMatch(message -> message.contains("/still")));
    }

    @Test
    void shutdownSendsTheLastTracesAndMetrics() throws Exception {
        StartedBalancer balancer = start(config(otlp("").replace("1s", "1h")));
        balancer.get("/last");
        balancer.close();
        running = null;

        assertThat(String.join("", traces)).contains("/last");
        assertThat(String.join("", metrics)).contains("ballast_pool_requests_total");
    }
}
