package io.ballast.server.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.ballast.server.demo.DemoBackend;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests a dashboard page with 1,000 backends over a connection with 400 kbit/s. */
class SlowConnectionE2eIT {

    private static final int BACKENDS = 1000;
    private static final int KILOBITS_PER_SECOND = 400;

    /** Collects the connection states until the uptime, which changes with each tick, has changed ten times. */
    private static final String STATES_OF_TEN_SECONDS = """
            () => new Promise((done) => {
              const states = new Set();
              const uptimes = new Set();
              const look = () => {
                states.add(document.getElementById('connection').textContent);
                uptimes.add(document.querySelector('.version').textContent);
                if (uptimes.size > 10) done([...states]);
                else requestAnimationFrame(look);
              };
              look();
            })""";

    @TempDir
    private Path directory;

    @RegisterExtension
    private final Chromium chromium = new Chromium();

    private DemoBackend backend;
    private RunningBalancer balancer;

    @BeforeEach
    void start() throws Exception {
        backend = DemoBackend.start(1);
        balancer = new RunningBalancer(directory, """
                listeners: [{bind: "127.0.0.1:0", pool: web}]
                pools:
                  web:
                    health: {type: http, path: /health, interval: 5s, timeout: 1m, rise: 1, fall: 1}
                    backends: [%s, %s]
                """.formatted(
                        backend.address(),
                        IntStream.range(1, BACKENDS)
                                .mapToObj(i -> "127.0.%d.%d:%d"
                                        .formatted(
                                                i / 200 + 1,
                                                i % 200 + 1,
                                                backend.address().port()))
                                .collect(Collectors.joining(", "))));
    }

    @AfterEach
    void stop() {
        chromium.closePages();
        balancer.close();
        backend.close();
    }

    @Test
    void showsAllBackendsAndStaysConnected() throws Exception {
        try (ThrottledProxy line = new ThrottledProxy(balancer.page(), KILOBITS_PER_SECOND)) {
            List<String> streams = new ArrayList<>();
            Page page = chromium.open("about:blank");
            page.onRequest(request -> {
                if (request.url().endsWith("/api/v1/stream")) {
                    streams.add(request.url());
                }
            });
            page.navigate(line.page());
            assertThat(page.locator(".chips [aria-pressed='true']")).containsText("1,000");
            assertThat(page.locator("#connection")).hasText("live");
            assertThat(page.locator("tr[data-state='down']").first()).containsText("connection refused");
            Locator outages = page.locator(".event-list [data-events='999']");
            assertThat(outages).containsText("web: 999 backends");
            assertThat(page.locator(".event-list li")).hasCount(2);

            balancer.request(500);

            assertThat(page.locator(".figures")).containsText("500 total");
            List<?> states = (List<?>) page.evaluate(STATES_OF_TEN_SECONDS);
            assertThat(states).as("what the page said of its connection").isEqualTo(List.of("live"));
            assertThat(streams).as("requests for the stream").hasSize(1);
            assertThat(chromium.complaints()).isEmpty();
        }
    }
}
