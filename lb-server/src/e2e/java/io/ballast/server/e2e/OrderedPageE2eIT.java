package io.ballast.server.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the dashboard's view of certificates that are ordered by ACME. Both certificate authorities are unreachable.
 */
class OrderedPageE2eIT {

    @TempDir
    private Path directory;

    @RegisterExtension
    private final Chromium chromium = new Chromium();

    private RunningBalancer balancer;

    @BeforeEach
    void start() throws Exception {
        balancer = new RunningBalancer(directory, """
                acme:
                  issuers:
                    - {name: one, directory: "https://127.0.0.1:1/dir"}
                    - {name: two, directory: "https://127.0.0.1:2/dir"}
                listeners:
                  - {bind: "127.0.0.1:0", redirect: https}
                  - name: secure
                    bind: 127.0.0.1:0
                    protocol: https
                    tls: {acme: [shop.example.com, www.example.com]}
                    routes: [{respond: {status: 200, body: served}}]
                """);
    }

    @AfterEach
    void stop() {
        chromium.closePages();
        balancer.close();
    }

    @Test
    void failedOrdersAreShownWithIssuerAndReason() {
        Page page = chromium.open(balancer.page());

        Locator rows = page.locator("#certificates table.ordered tbody tr");
        assertThat(rows).hasCount(2);
        Locator shop = page.locator("[data-ordered='shop.example.com']");
        assertThat(shop).containsText("two: cannot reach https://127.0.0.1:2/dir");
        assertThat(shop).containsText("not issued yet");
        assertThat(shop).containsText("minutes");
        assertThat(page.locator("#ordered-title")).hasText("Ordered by ACME 2");
    }
}
