package io.ballast.server.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.ballast.core.config.TlsFiles;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the dashboard's view of the certificates of listeners. */
class CertificatesPageE2eIT {

    private static final int CERTIFICATES = 24;
    private static final String LONG_NAME = "a-host-with-a-name-that-is-longer-than-a-phone-is-wide.example.com";

    @TempDir
    private Path directory;

    @RegisterExtension
    private final Chromium chromium = new Chromium();

    private RunningBalancer balancer;

    @BeforeEach
    void start() throws Exception {
        StringBuilder certificates = new StringBuilder();
        for (int i = 1; i < CERTIFICATES; i++) {
            certificates.append(entry(i, i == 1 ? LONG_NAME : "h" + i + ".example", Duration.ofDays(100L + i)));
        }
        certificates.append(
                entry(CERTIFICATES, "soon.example", Duration.ofDays(13).plusHours(1)));
        balancer = new RunningBalancer(directory, """
                listeners:
                  - name: secure
                    bind: 127.0.0.1:0
                    pool: web
                    tls:
                      certificates:
                %spools:
                  web: {backends: ["192.0.2.10:80"], health: {type: none}}
                """.formatted(certificates));
    }

    private String entry(int number, String host, Duration life) throws IOException {
        TlsFiles files = TestCertificate.lasting(life, host).write(directory, "c" + number);
        return "        - {certificate: %s, key: %s}\n".formatted(files.certificate(), files.key());
    }

    @AfterEach
    void stop() {
        chromium.closePages();
        balancer.close();
    }

    @Test
    void expiringCertificateIsInBannerHeaderAndTimeline() {
        Page page = chromium.open(balancer.page());

        assertThat(page.locator("#expiring")).containsText("1 certificate expires soon");
        assertThat(page.locator("#expiring")).containsText("soon.example expires in 13 days");
        assertThat(page.locator("#ready")).hasText("ready, certificate expires in 13 days");
        assertThat(page.locator(".event-list")).containsText("for soon.example expires in 13 days");
    }

    @Test
    void firstExpiringCertificatesAreOnTop() {
        Page page = chromium.open(balancer.page());

        Locator rows = page.locator("#certificates tbody tr");
        assertThat(rows).hasCount(20);
        assertThat(rows.nth(0)).containsText("soon.example");
        assertThat(rows.nth(0)).containsText("13 days");
        assertThat(rows.nth(0)).containsText("secure");
        assertThat(rows.nth(0)).hasClass("is-warn");
        assertThat(rows.nth(1)).containsText(LONG_NAME);
        assertThat(rows.nth(1)).not().hasClass(Pattern.compile("is-"));
        assertThat(page.locator("#certificates h2")).containsText("1 with less than 14 days left");
        assertThat(page.locator("#certificates .rest")).containsText("4 more");
        assertThat(chromium.complaints()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {390, 1366})
    void longHostNamesDoNotWidenPage(int width) {
        Page page = chromium.open(balancer.page(), ColorScheme.LIGHT, width, 844);
        assertThat(page.locator("#certificates tbody tr")).hasCount(20);

        assertThat((int) page.evaluate("document.documentElement.scrollWidth")).isLessThanOrEqualTo(width);
        assertThat((boolean) page.evaluate(
                        "(e => e.scrollWidth <= e.clientWidth)(document.querySelector('#certificates .scroll'))"))
                .isTrue();
    }
}
