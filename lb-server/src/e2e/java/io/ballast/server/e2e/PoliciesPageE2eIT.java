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

/** Tests the counters of policies on the dashboard page. */
class PoliciesPageE2eIT {

    private static final int REQUESTS = 3;
    private static final int PASSED = 0;
    private static final int REFUSED = 2;

    @TempDir
    private Path directory;

    @RegisterExtension
    private final Chromium chromium = new Chromium();

    private RunningBalancer balancer;

    @BeforeEach
    void start() throws Exception {
        balancer = new RunningBalancer(directory, """
                policies:
                  per-client: {rate_limit: {rate: 1000/h}}
                  office: {ip: {deny: all}, dry_run: true}
                listeners:
                  - bind: 127.0.0.1:0
                    policies: [per-client, office]
                    routes: [{respond: {status: 200, body: served}}]
                """);
    }

    @AfterEach
    void stop() {
        chromium.closePages();
        balancer.close();
    }

    private static Locator cell(Page page, String policy, int column) {
        return page.locator("#policies [data-outcomes] tbody tr")
                .filter(new Locator.FilterOptions().setHasText(policy))
                .locator("td")
                .nth(column);
    }

    @Test
    void outcomesOfEachPolicyAreShown() throws Exception {
        balancer.request(REQUESTS);
        Page page = chromium.open(balancer.page());
        String all = String.valueOf(REQUESTS);

        assertThat(page.locator("#policies [data-outcomes] tbody tr")).hasCount(2);
        assertThat(cell(page, "per-client", PASSED)).hasText(all);
        assertThat(cell(page, "per-client", REFUSED)).hasText("0");
        assertThat(page.locator("#policies")).containsText("ip, dry run");
        assertThat(cell(page, "office", PASSED)).hasText("0");
        assertThat(cell(page, "office", REFUSED)).hasText(all);
        assertThat(cell(page, "office", REFUSED))
                .hasAttribute("title", "requests that would have been refused without dry_run");
    }

    @Test
    void heaviestKeysAndLastRefusalsAreShown() throws Exception {
        balancer.request(REQUESTS);
        Page page = chromium.open(balancer.page());

        Locator key = page.locator("#policies [data-keys] tbody tr");
        assertThat(key).hasCount(1);
        assertThat(key).containsText("per-client");
        assertThat(key).containsText("of 1,000");
        assertThat(key.locator("th")).hasAttribute("title", "the hash of a key without refusals; its value is unknown");
        Locator refusals = page.locator("#policies [data-refusals] tbody tr");
        assertThat(refusals).hasCount(REQUESTS);
        assertThat(refusals.first()).containsText("127.0.0.1");
        assertThat(refusals.first()).containsText("office");
        assertThat(refusals.first()).containsText("dry run");
        assertThat(refusals.first()).containsText("GET");
    }
}
