package io.ballast.server.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.ballast.net.testing.FreePort;
import io.ballast.server.Main;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests the view of the cluster on the dashboard of one of three nodes. */
class ClusterPageE2eIT {

    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final String BACKEND = "192.0.2.10:80";

    @TempDir
    private Path directory;

    @RegisterExtension
    private final Chromium chromium = new Chromium();

    private final Map<String, Integer> ports = new LinkedHashMap<>();
    private final Map<String, RunningBalancer> nodes = new LinkedHashMap<>();

    @BeforeEach
    void start() throws Exception {
        cluster("init", "edge");
        for (String node : NODES) {
            cluster("cert", node);
            ports.put(node, FreePort.find());
        }
        for (String node : NODES) {
            nodes.put(node, new RunningBalancer(Files.createDirectory(directory.resolve(node)), config(node)));
        }
    }

    private void cluster(String command, String name) {
        assertThat(Main.commandLine().execute("cluster", command, name, "--directory", directory.toString()))
                .isZero();
    }

    private String config(String node) {
        return """
                listeners: [{name: front, bind: "127.0.0.1:0", pool: web}]
                pools:
                  web: {backends: ["%1$s", "192.0.2.11:80"], health: {type: none}}
                cluster:
                  name: edge
                  bind: 127.0.0.1:%2$d
                  peers: [%3$s]
                  voters: [n1, n2, n3]
                  tls: {certificate: %4$s/%5$s.crt, key: %4$s/%5$s.key, ca: %4$s/ca.crt}
                """.formatted(
                BACKEND,
                ports.get(node),
                String.join(
                        ", ",
                        ports.values().stream().map(port -> "127.0.0.1:" + port).toList()),
                directory,
                node);
    }

    @AfterEach
    void stop() {
        chromium.closePages();
        nodes.values().forEach(RunningBalancer::close);
    }

    private void stop(String node) {
        nodes.remove(node).close();
    }

    @Test
    void nodesMajorityAndPendingChangesAreShown() {
        Page page = chromium.open(nodes.get("n1").page());
        Locator rows = page.locator("#cluster [data-node]");
        assertThat(page.locator("#cluster-title")).hasText(Pattern.compile("Cluster edge seen by n1; leader n[123]"));
        assertThat(rows).hasCount(3);
        assertThat(page.locator("#cluster [data-node=n1]")).containsText("this node");
        assertThat(page.locator("#cluster [data-node=n2]")).containsText(Pattern.compile("(leader|voter).*ms.*s"));
        assertThat(page.locator("#cluster .is-bad")).hasCount(0);
        assertThat(page.locator("#no-majority")).hasCount(0);
        assertThat(page.locator("#ready")).hasText("ready");
        assertThat(Accessibility.seriousViolations(page)).isEmpty();

        stop("n2");
        stop("n3");

        assertThat(page.locator("#no-majority"))
                .containsText("No majority of the voters is connected: n2, n3 are missing."
                        + "This node serves with its last state; changes are pending.");
        assertThat(page.locator("#ready")).hasText("ready, no majority in the cluster");
        assertThat(page.locator("#cluster-title")).hasText("Cluster edge seen by n1; no leader");
        assertThat(page.locator("#cluster .is-bad")).hasCount(2);
        assertThat(page.locator("#cluster [data-node=n3]")).containsText("not connected");

        page.evaluate("fetch('/api/v1/pools/web/backends/" + BACKEND + "/drain', {method: 'POST'})");

        assertThat(page.locator("#cluster .pending tbody tr")).hasCount(1);
        assertThat(page.locator("#cluster .pending")).containsText("override/state/web/" + BACKEND);
        page.locator(".events .choices button", new Page.LocatorOptions().setHasText("cluster"))
                .click();
        assertThat(page.locator(".event-list")).containsText("n3 node no longer connected");
        assertThat(page.locator(".event-list")).not().containsText("drain");
        assertThat(Accessibility.seriousViolations(page)).isEmpty();
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void theViewFitsOnAPhone() {
        Page page = chromium.open(nodes.get("n1").page());
        page.setViewportSize(390, 844);
        assertThat(page.locator("#cluster [data-node]")).hasCount(3);

        assertThat((int) page.evaluate("document.documentElement.scrollWidth")).isLessThanOrEqualTo(390);
    }
}
