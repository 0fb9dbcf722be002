package io.ballast.server.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.balance.Member;
import io.ballast.core.config.HostPort;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Topology;
import io.ballast.core.pool.TopologyBuilder;
import io.ballast.dashboard.Dashboard;
import io.ballast.dashboard.config.DashboardConfig;
import io.ballast.dashboard.source.DashboardSources;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a dashboard page with 1,000 backends whose values change every second: only rows near the screen are in the
 * document. The test also measures how many frames the page draws, and writes the result to {@code target/frames.txt}.
 */
class FramesE2eIT {

    private static final int BACKENDS = 1000;
    private static final int MAX_ROWS = 120;

    /** Measures the frames of five seconds, and scrolls by {@code step} pixels in each frame. */
    private static final String MEASURE = """
            (step) => new Promise((done) => {
              const gaps = [];
              let begin = 0;
              let last = 0;
              let down = true;
              const frame = (now) => {
                if (last) gaps.push(now - last);
                begin ||= now;
                last = now;
                if (step) {
                  if (scrollY + innerHeight >= document.documentElement.scrollHeight) down = false;
                  if (scrollY === 0) down = true;
                  scrollBy(0, down ? step : -step);
                }
                if (now - begin < 5000) requestAnimationFrame(frame);
                else {
                  gaps.sort((a, b) => a - b);
                  done([gaps.length, gaps[gaps.length >> 1], gaps[Math.floor(gaps.length * 0.99)], gaps.at(-1)]);
                }
              };
              requestAnimationFrame(frame);
            })
            """;

    @TempDir
    private Path directory;

    private final ControlPlane control = ControlPlane.start(Clock.systemUTC());
    private final ScheduledExecutorService traffic = Executors.newSingleThreadScheduledExecutor();
    private Dashboard dashboard;

    @RegisterExtension
    private final Chromium chromium = new Chromium();

    @BeforeEach
    void start() throws Exception {
        Topology topology = topology();
        traffic.scheduleAtFixedRate(() -> serve(topology), 0, 500, TimeUnit.MILLISECONDS);
        dashboard = Dashboard.start(
                new DashboardConfig(/* enabled= */ true, new HostPort("127.0.0.1", 0)),
                DashboardSources.of(() -> topology, control, "1"));
    }

    @AfterEach
    void stop() {
        chromium.closePages();
        dashboard.close();
        traffic.shutdownNow();
        control.close();
    }

    @Test
    void onlyVisibleRowsOfManyBackendsAreRendered() throws Exception {
        Page page = chromium.open(
                "http://127.0.0.1:" + dashboard.address().orElseThrow().getPort() + "/");
        page.locator(".pool .more").click();
        Locator rows = page.locator("tr.backend");
        assertThat(page.locator("table[aria-rowcount='1001']")).isVisible();

        String still = frames(page, 0);
        int rowsStill = rows.count();
        String moving = frames(page, 40);

        assertThat(rowsStill).isBetween(1, MAX_ROWS);
        assertThat(rows.count()).isBetween(1, MAX_ROWS);
        Files.writeString(
                Path.of("target", "frames.txt"),
                "1000 backends, all of them other each second\nstill: " + still + "\nscrolling: " + moving + "\n");
        assertThat(chromium.complaints()).isEmpty();
    }

    private static String frames(Page page, int step) {
        List<?> found = (List<?>) page.evaluate(MEASURE, step);
        double[] figures = found.stream()
                .mapToDouble(figure -> ((Number) figure).doubleValue())
                .toArray();
        return String.format(
                Locale.ROOT,
                "%.0f frames in 5 s; between two of them median %.1f ms, p99 %.1f ms, most %.1f ms",
                figures[0],
                figures[1],
                figures[2],
                figures[3]);
    }

    private static void serve(Topology topology) {
        int number = 0;
        for (Member member : topology.pool("web").members()) {
            int requests = 1 + number++ % 7;
            for (int i = 0; i < requests; i++) {
                member.backend().stats().counters(0).increment(BackendCounter.REQUESTS);
                member.backend().stats().counters(0).increment(BackendCounter.RESPONSES_2XX);
                member.backend().stats().latency(0).record(TimeUnit.MICROSECONDS.toNanos(800 + 10L * number));
            }
        }
    }

    private Topology topology() throws Exception {
        String backends = IntStream.range(0, BACKENDS)
                .mapToObj(i -> "\"10.0." + i / 250 + "." + (1 + i % 250) + ":8080\"")
                .collect(Collectors.joining(", "));
        Path file = Files.writeString(directory.resolve("config.yaml"), """
                listeners: [{bind: "127.0.0.1:18080", pool: web}]
                pools: {web: {backends: [%s], health: {type: none}}}
                """.formatted(backends));
        BallastConfig config = ConfigLoader.ofProcess().load(file).config();
        return new TopologyBuilder(
                        address -> new InetSocketAddress(address.host(), address.port()),
                        /* shards= */ 1,
                        control.clock())
                .build(config.pools());
    }
}
