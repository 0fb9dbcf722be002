package io.ballast.server.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.ballast.dashboard.access.Secrets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests login, the permissions of the user on the page, and logout. */
class LoginPageE2eIT {

    private static final String PASSWORD = "correct horse";
    private static final int PHONE = 390;

    @RegisterExtension
    private final Chromium chromium = new Chromium();

    private static String hash;

    @TempDir
    private Path directory;

    private RunningBalancer balancer;

    @BeforeAll
    static void hashPassword() {
        hash = Secrets.hashPassword(PASSWORD);
    }

    @BeforeEach
    void start() throws Exception {
        balancer = new RunningBalancer(directory, 2, """
                  users:
                    - {name: ann, password_hash: "%1$s", role: operator}
                    - {name: vic, password_hash: "%1$s", role: viewer}
                """.formatted(hash));
    }

    @AfterEach
    void stop() {
        chromium.closePages();
        balancer.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = ColorScheme.class,
            names = {"LIGHT", "DARK"})
    void loginPageIsAccessibleAndFitsPhone(ColorScheme scheme) {
        Page page = chromium.open(balancer.page(), scheme, PHONE, 800);
        assertThat(page).hasURL(Pattern.compile(".*/login"));
        assertThat(page.locator("#name")).isFocused();

        assertThat(Accessibility.violations(page)).isEmpty();
        assertThat((int) page.evaluate("document.documentElement.scrollWidth")).isLessThanOrEqualTo(PHONE);
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void operatorLogsInDrainsAndLogsOutByKeyboard() {
        Page page = chromium.open(balancer.page());
        assertThat(page.locator("#name")).isFocused();
        page.keyboard().type("ann");
        page.keyboard().press("Tab");
        page.keyboard().type("guessed");
        page.keyboard().press("Enter");
        assertThat(page.locator("#problem")).hasText("wrong name or password");
        assertThat(page.locator("#password")).isFocused();

        page.keyboard().type(PASSWORD);
        page.keyboard().press("Enter");
        assertThat(page.locator("#connection")).hasText("live");
        assertThat(page.locator(".who")).hasText("ann");

        row(page, 0).locator(".col-addr button").click();
        Locator dialog = page.locator("dialog[open]");
        dialog.locator("[data-command=drain]").click();
        dialog.locator("form button[type=submit]").click();
        assertThat(dialog.locator(".detail-state")).containsText("override by ann");
        assertThat(row(page, 0)).hasAttribute("data-state", "draining");
        page.keyboard().press("Escape");

        page.locator("#log-out").click();
        assertThat(page).hasURL(Pattern.compile(".*/login"));
        page.navigate(balancer.page());
        assertThat(page).hasURL(Pattern.compile(".*/login"));
        assertThat(chromium.complaints())
                .allSatisfy(complaint -> assertThat(complaint).contains("401"));
    }

    @Test
    void viewerSeesEverythingWithoutCommands() {
        Page page = logIn("vic");

        assertThat(page.locator(".who")).hasText("vic");
        row(page, 0).locator(".col-addr button").click();
        Locator dialog = page.locator("dialog[open]");
        assertThat(dialog.locator(".detail-state")).isVisible();
        assertThat(dialog.locator("[data-command]")).hasCount(0);

        List<Rule> violations = new AxeBuilder(page).analyze().getViolations();
        assertThat(violations.stream().map(Rule::getId)).isEmpty();
        assertThat(chromium.complaints()).isEmpty();
    }

    private Page logIn(String name) {
        Page page = chromium.open(balancer.page());
        page.locator("#name").fill(name);
        page.locator("#password").fill(PASSWORD);
        page.locator("form button").click();
        assertThat(page.locator("#connection")).hasText("live");
        return page;
    }

    private Locator row(Page page, int index) {
        return page.locator("tr[data-backend='" + balancer.name(index) + "']");
    }
}
