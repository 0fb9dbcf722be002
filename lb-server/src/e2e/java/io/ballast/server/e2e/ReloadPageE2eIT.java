package io.ballast.server.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.config.HostPort;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.ReloadReport.Outcome;
import io.ballast.core.pool.Topology;
import io.ballast.core.pool.TopologyBuilder;
import io.ballast.dashboard.Dashboard;
import io.ballast.dashboard.config.DashboardConfig;
import io.ballast.dashboard.source.DashboardSources;
import io.ballast.dashboard.source.RecordingReloader;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests that an open page shows a new configuration after a reload. */
class ReloadPageE2eIT {

    private static final String BEFORE = """
            pools:
              web: {backends: ["192.0.2.1:80", "192.0.2.2:80"], health: {type: none}}
              old: {backends: ["192.0.2.3:80"], health: {type: none}}
            """;

    private static final String AFTER = """
            pools:
              web: {backends: ["192.0.2.1:80", "192.0.2.4:80", "192.0.2.5:80"], health: {type: none}}
              api: {backends: ["192.0.2.6:80"], health: {type: none}}
              new: {backends: ["192.0.2.7:80"], health: {type: none}}
              more: {backends: ["192.0.2.8:80"], health: {type: none}}
            """;

    @TempDir
    private Path directory;

    private final ControlPlane control = ControlPlane.start(Clock.systemUTC());
    private volatile Outcome outcome = Outcome.REFUSED;
    private volatile Topology topology;
    private RecordingReloader reloader;
    private Dashboard dashboard;

    @RegisterExtension
    private final Chromium chromium = new Chromium();

    @BeforeEach
    void start() throws Exception {
        topology = topology(BEFORE);
        reloader =
                RecordingReloader.of((dryRun, who) -> CompletableFuture.completedFuture(report()), Clock.systemUTC());
        dashboard = Dashboard.start(
                new DashboardConfig(/* enabled= */ true, new HostPort("127.0.0.1", 0)),
                DashboardSources.of(() -> topology, control, "1").withReloader(reloader));
    }

    @AfterEach
    void stop() {
        chromium.closePages();
        dashboard.close();
        control.close();
    }

    @Test
    void reloadUpdatesPageAndKeepsFilterAndPosition() throws Exception {
        Page page = open();
        assertThat(page.locator("tr.backend")).hasCount(3);
        page.evaluate("window.loaded = 'once'");
        page.evaluate("scrollTo(0, 120)");
        page.locator(".filter input").fill("192.0.2");
        int place = (int) page.evaluate("scrollY");

        topology = topology(AFTER);
        control.timeline().add(HealthStatus.Origin.OPERATOR, "ballast", "reloaded");

        assertThat(page.locator("section.pool[data-pool=new]")).isVisible();
        assertThat(page.locator("section.pool[data-pool=old]")).hasCount(0);
        assertThat(page.locator("tr.backend")).hasCount(6);
        assertThat(page.locator(".event-list")).containsText("reloaded");
        assertThat(page.locator(".filter input")).hasValue("192.0.2");
        assertThat(page.evaluate("window.loaded")).isEqualTo("once");
        assertThat(page.evaluate("scrollY")).isEqualTo(place);
        page.locator(".filter input").fill("");
        assertThat(page.locator("tr[data-backend='web/192.0.2.1:80']"))
                .isVisible(); // the added pools did not collapse this pool
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void rejectedReloadIsShownUntilSuccess() {
        Page page = open();
        Locator notice = page.locator("#reload-refused");
        assertThat(page.locator("tr.backend")).hasCount(3);
        assertThat(notice).hasCount(0);

        CompletableFuture<ReloadReport> refused = reloader.reload(/* dryRun= */ false, "SIGHUP");
        assertThat(notice).containsText("SIGHUP");
        assertThat(notice).containsText("pools.web: no such thing");

        outcome = Outcome.UNCHANGED;
        CompletableFuture<ReloadReport> unchanged = reloader.reload(/* dryRun= */ false, "SIGHUP");
        assertThat(notice).hasCount(0);
        assertThat(refused).isDone();
        assertThat(unchanged).isDone();
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void lastReloadIsShownWithoutEvent() {
        Page page = open();
        page.locator("#config .fold").click();
        assertThat(page.locator("#config")).containsText("No reload since the start.");

        outcome = Outcome.UNCHANGED;
        CompletableFuture<ReloadReport> reload = reloader.reload(/* dryRun= */ false, "ann");
        assertThat(reload).isDone();
        page.locator("#config .fold").click();
        page.locator("#config .fold").click();

        assertThat(page.locator("#config .changes")).containsText("Last reload: unchanged");
        assertThat(page.locator("#config")).not().containsText("No reload since");
    }

    private Page open() {
        return chromium.open(
                "http://127.0.0.1:" + dashboard.address().orElseThrow().getPort() + "/");
    }

    private ReloadReport report() {
        List<String> errors =
                outcome == Outcome.REFUSED ? List.of("ballast.yaml:3:5: pools.web: no such thing") : List.of();
        return new ReloadReport(outcome, List.of(), List.of(), errors, Duration.ZERO);
    }

    private Topology topology(String text) throws Exception {
        Path file = Files.writeString(directory.resolve("config.yaml"), """
                listeners: [{bind: "127.0.0.1:18080", pool: web}]
                """ + text);
        BallastConfig config = ConfigLoader.ofProcess().load(file).config();
        return new TopologyBuilder(
                        address -> new InetSocketAddress(address.host(), address.port()),
                        /* shards= */ 1,
                        control.clock())
                .build(config.pools());
    }
}
