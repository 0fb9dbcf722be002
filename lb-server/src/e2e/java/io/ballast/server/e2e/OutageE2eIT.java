package io.ballast.server.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests the dashboard page during a total outage. */
class OutageE2eIT {

    private static final Pattern GREEN = Pattern.compile("\\bgood\\b");

    @TempDir
    private Path directory;

    @RegisterExtension
    private final Chromium chromium = new Chromium();

    private RunningBalancer balancer;

    @BeforeEach
    void start() throws Exception {
        balancer = new RunningBalancer(directory, 2);
    }

    @AfterEach
    void stop() {
        chromium.closePages();
        balancer.close();
    }

    @Test
    void outageIsShownProminently() {
        Page page = chromium.open(balancer.page());
        Locator pill = page.locator("#ready");
        assertThat(pill).hasClass(GREEN);

        balancer.stopBackend(0);
        balancer.stopBackend(1);

        assertThat(page.locator("#outage")).containsText("no backend is in service");
        assertThat(pill).not().hasClass(GREEN);
        assertThat(pill).hasText("outage");
        assertThat(page.locator(".figures")).containsText("0 of 2");
        assertThat(page).hasTitle("(outage) Ballast");
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void panicWithoutHealthyBackendIsOutage() throws Exception {
        try (RunningBalancer panicking = new RunningBalancer(Files.createDirectory(directory.resolve("panic")), """
                listeners: [{bind: "127.0.0.1:0", pool: web}]
                pools:
                  web: {backends: ["127.0.0.1:1"], panic_below: 50%, health: {type: tcp}}
                """)) {
            Page page = chromium.open(panicking.page());

            assertThat(page.locator("#outage")).containsText("The only backend has been unhealthy for");
            assertThat(page.locator("#outage")).containsText("requests are sent to unhealthy backends");
            assertThat(page.locator("#ready")).hasText("outage");
            assertThat(page).hasTitle("(outage) Ballast");
        }
    }

    @Test
    void isNotGreenDuringReconnect() throws Exception {
        Page page = chromium.open(balancer.page());
        Locator pill = page.locator("#ready");
        assertThat(pill).hasClass(GREEN);

        balancer.stop();

        assertThat(page.locator("#stale")).isVisible();
        assertThat(pill).not().hasClass(GREEN);
        assertThat(pill).containsText("as of");
        balancer.restart();
        assertThat(pill).hasClass(GREEN);
    }
}
