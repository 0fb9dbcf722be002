package io.ballast.server.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the dashboard of a process that serves only DNS. */
class DnsPageE2eIT {

    @TempDir
    private Path directory;

    @RegisterExtension
    private final Chromium chromium = new Chromium();

    private RunningBalancer balancer;

    @BeforeEach
    void start() throws Exception {
        balancer = new RunningBalancer(directory, """
                pools:
                  eu: {backends: ["192.0.2.10:443", "192.0.2.11:443"], health: {type: none}}
                  us: {backends: ["198.51.100.10:443"], health: {type: none}}
                dns:
                  listeners: [{bind: "127.0.0.1:0"}]
                  zones:
                    - name: gslb.example.com
                      services:
                        - {name: app, pool: eu, ttl: 30s}
                        - {name: app, type: MX, records: [{data: 10 mail, pool: eu}, 20 backup.example.net.]}
                        - {name: a-service-with-a-name-that-is-longer-than-a-phone-is-wide, routing: failover, targets: [us, eu]}
                """);
    }

    @AfterEach
    void stop() {
        chromium.closePages();
        balancer.close();
    }

    @Test
    void figuresAndChartShowDns() {
        Page page = chromium.open(balancer.page());

        assertThat(page.locator(".figures")).containsText("Queries");
        assertThat(page.locator(".figures")).containsText("SERVFAIL");
        assertThat(page.locator(".figures")).not().containsText("Requests");
        assertThat(page.locator(".plot")).hasAttribute("aria-label", Pattern.compile("queries/s"));
        assertThat(page.locator("#listeners")).hasCount(0);
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void servicesShowAnswersAndReasons() {
        Page page = chromium.open(balancer.page());
        Locator service = page.locator("tr[data-service='app.gslb.example.com']");

        assertThat(service).containsText("192.0.2.10");
        assertThat(service).containsText("192.0.2.11");
        assertThat(service).containsText("30 s");
        assertThat(service).containsText("pool eu, round-robin");
        assertThat(page.locator(".zones")).containsText("gslb.example.com 3 services");
        service.locator("button").click();
        assertThat(page.locator("dialog")).containsText("pool eu");
        page.locator("dialog input").fill("203.0.113.9");
        page.keyboard().press("Enter");
        assertThat(page.locator("dialog")).containsText("203.0.113.9");
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void recordServicesAreShownBesideAddressServices() {
        Page page = chromium.open(balancer.page());
        Locator service = page.locator("tr[data-service='app.gslb.example.com MX']");

        assertThat(service).containsText("10 mail.gslb.example.com.");
        assertThat(service).containsText("20 backup.example.net.");
        service.locator("button").click();
        assertThat(page.locator("dialog")).containsText("10 mail.gslb.example.com. up: pool eu");
        assertThat(page.locator("dialog")).containsText("20 backup.example.net. up: always");
        assertThat(page.locator("dialog .ranges")).hasText("MX");
        assertThat(chromium.complaints()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {390, 1366})
    void longServiceNamesDoNotWidenPage(int width) {
        Page page = chromium.open(balancer.page(), ColorScheme.LIGHT, width, 844);
        assertThat(page.locator("tr[data-service]")).hasCount(3);

        assertThat((int) page.evaluate("document.documentElement.scrollWidth")).isLessThanOrEqualTo(width);
    }
}
