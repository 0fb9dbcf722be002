package io.ballast.server.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the configuration view of the page, and that the address of the page contains the selected view. */
class ViewsPageE2eIT {

    @TempDir
    private Path directory;

    @RegisterExtension
    private final Chromium chromium = new Chromium();

    private RunningBalancer balancer;

    @BeforeEach
    void start() throws Exception {
        balancer = new RunningBalancer(directory, """
                listeners:
                  - name: front
                    bind: 127.0.0.1:0
                    routes:
                      - match: {host: shop.example, path: /cart, headers: {x-api-key: s3cret}}
                        rewrite: {strip: /cart}
                        split: [{pool: web, weight: 9}, {pool: old, weight: 1}]
                      - {match: {path: "/<script>alert(1)</script>"}, respond: {status: 404}}
                      - pool: web
                pools:
                  web: {backends: ["192.0.2.1:80", "192.0.2.2:80"], health: {type: none}}
                  old: {backends: ["192.0.2.3:80"], health: {type: none}, headers: {request: {set: {Authorization: s3cret}}}}
                """);
    }

    @AfterEach
    void stop() {
        chromium.closePages();
        balancer.close();
    }

    @Test
    void filterAndRangeSurvivePageReload() {
        Page page = chromium.open(balancer.page());
        assertThat(page.locator("tr.backend")).hasCount(3);

        page.locator(".filter input").fill("192.0.2.2");
        page.locator(".ranges button", new Page.LocatorOptions().setHasText("15 min"))
                .click();
        page.waitForURL(Pattern.compile("\\?.*filter=192\\.0\\.2\\.2.*range=15|\\?.*range=15.*filter=192\\.0\\.2\\.2"));
        page.reload();

        assertThat(page.locator(".filter input")).hasValue("192.0.2.2");
        assertThat(page.locator("tr.backend")).hasCount(1);
        assertThat(page.locator(".ranges button[aria-pressed=true]")).hasText("15 min");
        page.locator(".filter input").fill("");
        page.locator(".ranges button", new Page.LocatorOptions().setHasText(Pattern.compile("^5 min")))
                .click();
        page.waitForURL(url -> !url.contains("?"));
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void invalidUrlParametersAreIgnored() {
        Page page = chromium.open(balancer.page() + "?state=asleep&range=1000&chart=pie&filter=");

        assertThat(page.locator("tr.backend")).hasCount(3);
        assertThat(page.locator(".ranges button[aria-pressed=true]")).hasText("5 min");
        page.navigate(balancer.page() + "?state=down");
        assertThat(page.locator("#no-match")).isVisible();
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void routesShowConditionsAndDestinations() {
        Page page = chromium.open(balancer.page());
        Locator routes = page.locator("#routes tbody tr");

        assertThat(routes).hasCount(3);
        assertThat(routes.nth(0)).containsText("host shop.example");
        assertThat(routes.nth(0)).containsText("header x-api-key = (hidden)");
        assertThat(routes.nth(0)).containsText("split web 9, old 1");
        assertThat(routes.nth(0)).containsText("strip /cart");
        assertThat(routes.nth(1)).containsText("<script>alert(1)</script>");
        assertThat(routes.nth(2)).containsText("anything");
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void configurationIsShownWithoutSecrets() {
        Page page = chromium.open(balancer.page());
        Locator config = page.locator("#config");
        assertThat(config.locator("pre")).hasCount(0);

        config.locator("h2 button").click();

        assertThat(config.locator("pre")).containsText("panic_below");
        assertThat(config.locator("pre")).containsText("Authorization: \"(hidden)\"");
        assertThat(config.locator("pre")).containsText("<script>alert(1)</script>");
        assertThat(config).containsText("No reload since the start");
        assertThat(page.content()).doesNotContain("s3cret");
        // The browser itself logs the 404 response, which means that there was no reload.
        assertThat(chromium.complaints())
                .containsOnly("Failed to load resource: the server responded with a status of 404 (Not Found)");
    }

    @Test
    void tableIsDownloadedAsCsv() throws Exception {
        Page page = chromium.open(balancer.page());
        Locator link = page.locator(".tools a");
        assertThat(link).isVisible();

        Download download = page.waitForDownload(link::click);

        assertThat(download.suggestedFilename()).isEqualTo("backends.csv");
        assertThat(Files.readString(download.path()))
                .startsWith("pool,addr,state,")
                .contains("old,192.0.2.3:80,");
    }

    @ParameterizedTest
    @CsvSource({"LIGHT, 1440, 900", "DARK, 1440, 900", "LIGHT, 390, 844", "DARK, 390, 844"})
    void hasNoSeriousAccessibilityViolation(ColorScheme scheme, int width, int height) {
        Page page = chromium.open(balancer.page(), scheme, width, height);
        page.locator("#config h2 button").click();
        assertThat(page.locator("#config pre")).isVisible();
        assertThat(page.locator("#routes tbody tr")).hasCount(3);

        assertThat(Accessibility.seriousViolations(page)).isEmpty();
        assertThat((int) page.evaluate("document.documentElement.scrollWidth")).isLessThanOrEqualTo(width);
    }
}
