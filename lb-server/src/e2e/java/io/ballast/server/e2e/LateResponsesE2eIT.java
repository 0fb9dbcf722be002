package io.ballast.server.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import io.ballast.dashboard.access.Secrets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the page shows the result of the last input, even if answers arrive late or in a different order than
 * requested.
 */
class LateResponsesE2eIT {

    private static final String POOLS_AND_DNS = """
            pools:
              eu: {backends: ["192.0.2.10:443", "192.0.2.11:443"], health: {type: none}}
            dns:
              listeners: [{bind: "127.0.0.1:0"}]
              forward: {pool: eu}
              zones: [{name: gslb.example.com, services: [{name: app, pool: eu, ttl: 30s}]}]
            """;

    @TempDir
    private Path directory;

    @RegisterExtension
    private final Chromium chromium = new Chromium();

    @AfterEach
    void stop() {
        chromium.closePages();
    }

    @Test
    void inputBeforeFirstExplanationIsUsed() throws Exception {
        try (RunningBalancer balancer = new RunningBalancer(directory, POOLS_AND_DNS)) {
            Page page = chromium.open("about:blank");
            HeldAnswers answers = new HeldAnswers(page, "**/api/v1/dns/explain?*", url -> !url.contains("from="));
            page.navigate(balancer.page());
            page.locator("tr[data-service='app.gslb.example.com'] button").click();
            page.waitForCondition(() -> answers.count() == 1);

            page.locator("dialog input").pressSequentially("203.0.113.9");
            answers.release(0);

            assertThat(page.locator("dialog")).containsText("203.0.113.9");
            assertThat(page.locator("dialog input")).hasValue("203.0.113.9");
            assertThat(chromium.complaints()).isEmpty();
        }
    }

    @Test
    void lateExplanationDoesNotReplaceNewerOne() throws Exception {
        try (RunningBalancer balancer = new RunningBalancer(directory, POOLS_AND_DNS)) {
            Page page = chromium.open("about:blank");
            HeldAnswers answers = new HeldAnswers(page, "**/api/v1/dns/explain?*", url -> url.contains("203.0.113.1"));
            page.navigate(balancer.page());
            page.locator("tr[data-service='app.gslb.example.com'] button").click();
            page.locator("dialog input").fill("203.0.113.1");
            page.keyboard().press("Enter");
            page.waitForCondition(() -> answers.count() == 1);

            page.locator("dialog input").fill("198.51.100.7");
            page.keyboard().press("Enter");
            assertThat(page.locator("dialog")).containsText("198.51.100.7");
            answers.release(0);

            Chromium.awaitEffects(page);
            assertThat(page.locator("dialog")).containsText("198.51.100.7");
        }
    }

    @Test
    void olderFiguresDoNotReplaceResultOfCommand() throws Exception {
        try (RunningBalancer balancer = new RunningBalancer(directory, 2)) {
            Page page = chromium.open(balancer.page());
            assertThat(page.locator("[data-pool] .pill").first()).hasText("2 of 2 in service");
            page.locator("tr[data-backend='" + balancer.name(0) + "'] .col-addr button")
                    .click();
            Locator dialog = page.locator("dialog[open]");
            assertThat(dialog.locator(".detail-state b")).hasText("up");
            HeldAnswers answers = new HeldAnswers(page, "**/api/v1/pools/web/backends/*", url -> true);
            page.waitForCondition(() -> answers.count() == 1);

            dialog.locator("[data-command=drain]").click();
            dialog.locator("form button[type=submit]").click();
            assertThat(dialog.locator(".detail-state b")).hasText("draining");
            answers.release(0);

            Chromium.awaitEffects(page);
            assertThat(dialog.locator(".detail-state b").textContent()).isEqualTo("draining");
        }
    }

    @Test
    void querySearchShowsLastInput() throws Exception {
        try (RunningBalancer balancer = new RunningBalancer(directory, POOLS_AND_DNS)) {
            Page page = chromium.open("about:blank");
            HeldAnswers answers = new HeldAnswers(page, "**/api/v1/dns/queries?name=*", url -> true);
            page.navigate(balancer.page());
            Locator name = page.locator("#forwarding .queries input").first();
            name.fill("old");
            page.waitForCondition(() -> answers.count("name=old") > 0);
            name.fill("new");
            page.locator("#forwarding .queries input").nth(2).fill("AAAA");
            page.waitForCondition(() -> answers.count("name=new&type=AAAA") > 0);

            answers.fulfil("name=new&type=AAAA", "new.example");
            assertThat(page.locator("#forwarding .log-lines tbody tr").first()).containsText("new.example");
            answers.fulfil("name=old", "old.example");

            Chromium.awaitEffects(page);
            assertThat(page.locator("#forwarding .log-lines tbody tr").first()).containsText("new.example");
            assertThat(name).hasValue("new");
        }
    }

    @Test
    void correctedPasswordIsKeptWhenRejectionArrives() throws Exception {
        String users = """
                  users: [{name: ann, password_hash: "%s", role: operator}]
                """.formatted(Secrets.hashPassword("correct horse"));
        try (RunningBalancer balancer = new RunningBalancer(directory, 1, users)) {
            Page page = chromium.open("about:blank");
            HeldAnswers answers = new HeldAnswers(page, "**/api/v1/login", url -> true);
            page.navigate(balancer.page());
            assertThat(page).hasURL(Pattern.compile(".*/login"));
            page.locator("#name").fill("ann");
            page.locator("#password").fill("guessed");
            page.keyboard().press("Enter");
            page.waitForCondition(() -> answers.count() == 1);

            page.locator("#password").fill("correct horse");
            answers.release(0);

            assertThat(page.locator("#problem")).hasText("wrong name or password");
            assertThat(page.locator("#password")).hasValue("correct horse");
        }
    }

    /** Holds back the answers to some GET and login requests of a page until the test releases them. */
    private static final class HeldAnswers {

        private static final String QUERY = """
                {"memory": 1000, "sample": 1, "dropped": 0, "queries": [
                  {"time": 1700000000000, "client": "192.0.2.7", "transport": "udp", "name": "%s", "type": "AAAA",
                   "rcode": "NOERROR", "outcome": "miss", "by": "127.0.0.1:1", "ms": 12.5, "bytes": 64}]}
                """;

        private final List<Route> routes = new ArrayList<>();
        private final List<APIResponse> answers = new ArrayList<>();

        HeldAnswers(Page page, String pattern, Predicate<String> held) {
            page.route(pattern, route -> {
                if (held.test(route.request().url())) {
                    answers.add(route.fetch());
                    routes.add(route);
                } else {
                    route.resume();
                }
            });
        }

        int count() {
            return routes.size();
        }

        long count(String part) {
            return routes.stream()
                    .filter(route -> route.request().url().contains(part))
                    .count();
        }

        /** Sends a held answer to the page, with the content that it had at the time of the request. */
        void release(int index) {
            routes.get(index).fulfill(new Route.FulfillOptions().setResponse(answers.get(index)));
        }

        /** Answers all held requests whose URL contains {@code part} with a list of one DNS query for this name. */
        void fulfil(String part, String name) {
            routes.stream()
                    .filter(route -> route.request().url().contains(part))
                    .forEach(route -> route.fulfill(new Route.FulfillOptions()
                            .setContentType("application/json")
                            .setBody(QUERY.formatted(name))));
        }
    }
}
