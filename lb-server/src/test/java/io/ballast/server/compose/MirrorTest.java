package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.ReloadReport.Outcome;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests mirroring in a whole process: configuration, reload and metrics. */
class MirrorTest {

    private static final String MIRRORED =
            "ballast_policy_responses_total{policy=\"shadow\",kind=\"mirror\",outcome=\"2xx\"} ";

    private final NamedServers servers = new NamedServers();

    @TempDir
    private Path directory;

    private String web = "";
    private String next = "";

    @BeforeEach
    void startBackends() throws Exception {
        web = "127.0.0.1:" + servers.add("web");
        next = "127.0.0.1:" + servers.add("next");
    }

    @AfterEach
    void close() {
        servers.close();
    }

    private String config(String mirror, String pools) {
        return """
                policies:
                  shadow: {mirror: {pool: %s}}
                listeners:
                  - {name: front, bind: "127.0.0.1:0", policies: [shadow], pool: web}
                pools:
                  web: {backends: ["%s"]}
                  %s
                dashboard: {bind: 127.0.0.1:0}
                data_dir: data
                """.formatted(mirror, web, pools);
    }

    @Test
    void mirroredRequestsAreCountedApartFromClients() throws Exception {
        try (StartedBalancer balancer =
                StartedBalancer.start(directory, config("next", "next: {backends: [\"%s\"]}".formatted(next)))) {
            for (int i = 0; i < 3; i++) {
                assertThat(balancer.get("/").body()).isEqualTo("web");
            }

            awaitMetric(balancer, MIRRORED + "3");
            assertThat(balancer.request(balancer.dashboard(), "GET", "/metrics").body())
                    .contains("ballast_listener_requests_total{listener=\"front\"} 3\n");
        }
    }

    @Test
    void mirrorMovesToAnotherPoolWithReload() throws Exception {
        try (StartedBalancer balancer = StartedBalancer.start(
                directory, config("next", "next: {backends: [\"127.0.0.1:9\"], health: {type: none}}"))) {
            assertThat(balancer.get("/").body()).isEqualTo("web");
            String failed = MIRRORED.replace("2xx", "backend_failed");
            awaitMetric(balancer, failed + "1");

            ReloadReport report = balancer.reload(config("other", "other: {backends: [\"%s\"]}".formatted(next)));
            assertThat(report.outcome()).isEqualTo(Outcome.APPLIED);
            assertThat(balancer.get("/").body()).isEqualTo("web");

            awaitMetric(balancer, MIRRORED + "1");
        }
    }

    private static void awaitMetric(StartedBalancer balancer, String line) throws Exception {
        long end = System.nanoTime() + StartedBalancer.TIMEOUT.toNanos();
        String metrics = "";
        while (System.nanoTime() < end) {
            metrics = balancer.request(balancer.dashboard(), "GET", "/metrics").body();
            if (metrics.contains(line + "\n")) {
                return;
            }
        }
        assertThat(metrics).contains(line);
    }
}
