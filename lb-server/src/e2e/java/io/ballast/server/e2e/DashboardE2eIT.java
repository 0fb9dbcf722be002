package io.ballast.server.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DashboardE2eIT {

    @RegisterExtension
    private final Chromium chromium = new Chromium();

    @TempDir
    private Path directory;

    private RunningBalancer balancer;

    @BeforeEach
    void start() throws Exception {
        balancer = new RunningBalancer(directory, 3);
    }

    @AfterEach
    void stop() {
        chromium.closePages();
        balancer.close();
    }

    @Test
    void stoppedBackendIsShownAsDown() {
        Page page = chromium.open(balancer.page());
        assertThat(row(page, 0)).hasAttribute("data-state", "up");
        assertThat(row(page, 1)).hasAttribute("data-state", "up");

        balancer.stopBackend(1);

        assertThat(row(page, 1)).hasAttribute("data-state", "down");
        assertThat(row(page, 1)).containsText("connection refused");
        assertThat(page.locator(".alert")).containsText(balancer.name(1));
        assertThat(page.locator(".event-list")).containsText(balancer.name(1));
        assertThat(page).hasTitle("(1 down) Ballast");
        assertThat(row(page, 0)).hasAttribute("data-state", "up");
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void scriptsAndStylesAreLoadedOnce() {
        Page page = chromium.open(balancer.page());
        assertThat(row(page, 0)).hasAttribute("data-state", "up");

        assertThat(loadedFiles(page, "true"))
                .satisfiesExactlyInAnyOrder(
                        name -> assertThat(name).matches("app\\..*\\.js"),
                        name -> assertThat(name).matches("app\\..*\\.css"),
                        name -> assertThat(name).matches("theme\\..*\\.js"));

        page.reload();
        assertThat(row(page, 0)).hasAttribute("data-state", "up");
        assertThat(loadedFiles(page, "entry.transferSize > 0"))
                .as("not from the cache")
                .isEmpty();
    }

    /** Returns the names of the loaded scripts and style sheets that meet a condition. */
    private static List<String> loadedFiles(Page page, String condition) {
        List<?> names = (List<?>) page.evaluate("performance.getEntriesByType('resource')"
                + ".filter((entry) => /\\.(js|css)$/.test(entry.name) && (" + condition + "))"
                + ".map((entry) => entry.name.split('/').at(-1))");
        return names.stream().map(String::valueOf).toList();
    }

    @Test
    void requestsOfEachBackendAreCounted() throws Exception {
        Page page = chromium.open(balancer.page());
        assertThat(row(page, 0)).hasAttribute("data-state", "up");

        balancer.request(300);

        for (int i = 0; i < 3; i++) {
            Locator row = row(page, i);
            assertThat(row.locator(".col-requests")).hasText("100");
            assertThat(row.locator(".col-avg")).containsText("ms");
            assertThat(row.locator(".col-p99")).containsText("ms");
        }
        assertThat(page.locator("#connection")).hasText("live");
        assertThat(page.locator("#ready")).hasText("ready");
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void filtersAndSortsByKeyboard() {
        Page page = chromium.open(balancer.page());
        assertThat(page.locator("tr.backend")).hasCount(3);
        Chromium.awaitEffects(page);

        page.keyboard().press("/");
        page.keyboard().type(balancer.name(2));
        assertThat(page.locator("tr.backend")).hasCount(1);
        page.keyboard().press("Escape");
        assertThat(page.locator("tr.backend")).hasCount(3);

        Locator heading = page.locator(".pool th.col-requests");
        heading.locator("button").press("Enter");
        assertThat(heading).hasAttribute("aria-sort", "descending");
        heading.locator("button").press("Enter");
        assertThat(heading).hasAttribute("aria-sort", "ascending");
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void backendDetailsAreShown() throws Exception {
        balancer.request(30);
        Page page = chromium.open(balancer.page());

        row(page, 0).locator("button").click();

        assertThat(page.locator("dialog")).containsText("connect refused");
        assertThat(page.locator("dialog")).containsText(Pattern.compile("requests\\s*10"));
        page.keyboard().press("Escape");
        assertThat(page.locator("dialog")).hasCount(0);
        assertThat(chromium.complaints()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"LIGHT, 1440, 900", "DARK, 1440, 900", "LIGHT, 390, 844", "DARK, 390, 844"})
    void hasNoSeriousAccessibilityViolation(ColorScheme scheme, int width, int height) throws Exception {
        balancer.request(30);
        Page page = chromium.open(balancer.page(), scheme, width, height);
        balancer.stopBackend(0);
        assertThat(row(page, 0)).hasAttribute("data-state", "down");

        assertThat(Accessibility.seriousViolations(page)).isEmpty();
        int scrollWidth = (int) page.evaluate("document.documentElement.scrollWidth");
        assertThat(scrollWidth).isLessThanOrEqualTo(width);
    }

    @Test
    void reconnectsAfterLostConnection() throws Exception {
        Page page = chromium.open(balancer.page());
        assertThat(page.locator("#connection")).hasText("live");

        balancer.stop();
        assertThat(page.locator("#connection")).hasText("reconnecting…");
        balancer.restart();

        assertThat(page.locator("#connection")).hasText("live");
        assertThat(row(page, 0)).hasAttribute("data-state", "up");
    }

    private Locator row(Page page, int index) {
        return page.locator("tr[data-backend='" + balancer.name(index) + "']");
    }
}
