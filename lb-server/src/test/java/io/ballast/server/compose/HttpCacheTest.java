package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.ballast.core.control.ReloadReport.Outcome;
import io.ballast.server.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests caches in a whole process: reload, metrics and removal of responses. */
class HttpCacheTest {

    private final AtomicInteger requests = new AtomicInteger();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    private HttpServer backend;

    @BeforeEach
    void startBackend() throws Exception {
        backend = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        backend.createContext("/", exchange -> {
            byte[] body = ("answer " + requests.incrementAndGet()).getBytes(StandardCharsets.US_ASCII);
            exchange.getResponseHeaders().set("Cache-Control", "max-age=3600");
            exchange.getResponseHeaders().set("Cache-Tag", "news");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        backend.start();
    }

    @AfterEach
    void stopBackend() {
        backend.stop(0);
    }

    private String config(String memory) {
        return """
            policies:
              pages: {cache: {memory: %s}}
            listeners:
              - {bind: "127.0.0.1:0", policies: [pages], pool: web}
            pools:
              web: {backends: ["127.0.0.1:%d"], health: {type: none}}
            dashboard: {bind: "127.0.0.1:0"}
            data_dir: data
            """.formatted(memory, backend.getAddress().getPort());
    }

    private int run(String... args) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    @Test
    void operatorsRemoveResponses() throws Exception {
        try (StartedBalancer balancer = StartedBalancer.start(directory, config("16MiB"))) {
            String api = balancer.dashboard().toString();
            assertThat(balancer.get("/a").body()).isEqualTo("answer 1");
            assertThat(balancer.get("/a").body()).isEqualTo("answer 1");

            assertThat(run("cache", "purge", "--api", api, "--tag", "sports"))
                    .as(err.toString())
                    .isZero();
            assertThat(run("cache", "purge", "--api", api, "--tag", "news", "--policy", "pages"))
                    .isZero();
            assertThat(balancer.get("/a").body()).isEqualTo("answer 2");
            assertThat(run("cache", "purge", "--api", api, "--url", "http://127.0.0.1:*"))
                    .isZero();
            assertThat(balancer.get("/a").body()).isEqualTo("answer 3");
            assertThat(run("cache", "purge", "--api", api, "--all")).isZero();
            assertThat(out.toString()).isEqualTo("removed: 0\nremoved: 1\nremoved: 1\nremoved: 1\n");

            assertThat(run("cache", "purge", "--api", api, "--url", "/a")).isEqualTo(2);
            assertThat(err.toString()).contains("(expected: an absolute URL");
            assertThat(run("cache", "purge", "--api", api, "--all", "--policy", "other"))
                    .isEqualTo(2);
            assertThat(err.toString()).contains("there is no cache other");
            assertThat(run("cache", "purge", "--api", api)).isEqualTo(2);
        }
    }

    @Test
    void metricsCountHitsAndSizes() throws Exception {
        try (StartedBalancer balancer = StartedBalancer.start(directory, config("16MiB"))) {
            balancer.get("/a");
            balancer.get("/a");

            assertThat(balancer.request(balancer.dashboard(), "GET", "/metrics").body())
                    .contains("ballast_policy_responses_total{policy=\"pages\",kind=\"cache\",outcome=\"hit\"} 1")
                    .contains("ballast_policy_state{policy=\"pages\",kind=\"cache\",value=\"cached_responses\"} 1");
        }
    }

    @Test
    void reloadKeepsResponsesOfAnUnchangedCache() throws Exception {
        try (StartedBalancer balancer = StartedBalancer.start(directory, config("16MiB"))) {
            balancer.get("/a");

            assertThat(balancer.reload(config("16MiB").replace("health:", "strategy: least-connection, health:"))
                            .outcome())
                    .isEqualTo(Outcome.APPLIED);
            assertThat(balancer.get("/a").body()).isEqualTo("answer 1");

            assertThat(balancer.reload(config("32MiB")).outcome()).isEqualTo(Outcome.APPLIED);
            assertThat(balancer.get("/a").body()).isEqualTo("answer 2");
        }
    }
}
