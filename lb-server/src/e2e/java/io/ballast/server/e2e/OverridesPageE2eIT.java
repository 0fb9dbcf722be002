package io.ballast.server.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests that operators can take a backend out of service from its details, and put it back. */
class OverridesPageE2eIT {

    private static final Pattern LOCAL_TIME = Pattern.compile("until \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d");
    private static final Pattern UTC_TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:");

    @TempDir
    private Path directory;

    private RunningBalancer balancer;

    @RegisterExtension
    private final Chromium chromium = new Chromium();

    private Page page;

    @BeforeEach
    void start() throws Exception {
        balancer = new RunningBalancer(directory, 2);
        page = chromium.open(balancer.page());
        assertThat(page.locator("[data-pool] .pill").first()).hasText("2 of 2 in service");
    }

    @AfterEach
    void stop() {
        chromium.closePages();
        balancer.close();
    }

    @Test
    void drainsAndEnablesByKeyboard() {
        Locator dialog = details(0);
        dialog.locator("[data-command=drain]").press("Enter");
        page.keyboard().type("new kernel");
        page.keyboard().press("Tab");
        page.keyboard().type("10m");
        page.keyboard().press("Enter");

        assertThat(dialog.locator(".detail-state")).containsText("override by page: new kernel, until ");
        assertThat(row(0)).hasAttribute("data-state", "draining");
        assertThat(page.locator(".event-list")).containsText("new kernel");
        assertThat(dialog.locator(".detail-state")).containsText(LOCAL_TIME);
        assertThat(page.locator(".event-list")).containsText(LOCAL_TIME);
        assertThat(page.locator("body")).not().containsText(UTC_TIME);

        dialog.locator("[data-command=enable]").press("Enter");
        page.keyboard().press("Enter");
        assertThat(row(0)).hasAttribute("data-state", "up");
        assertThat(dialog.locator("[data-command=enable]")).hasCount(0);
        page.keyboard().press("Escape");
        assertThat(dialog).hasCount(0);
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void drainOfLastUsableBackendNeedsConfirmation() {
        drain(details(0));
        assertThat(row(0)).hasAttribute("data-state", "draining");
        page.keyboard().press("Escape");

        Locator dialog = details(1);
        drain(dialog);
        assertThat(dialog.locator("[role=alert]")).containsText("the last usable backend");
        assertThat(row(1)).hasAttribute("data-state", "up");
        dialog.locator("form button[type=submit]").click();

        assertThat(row(1)).hasAttribute("data-state", "draining");
    }

    @Test
    void changesAndRestoresWeight() {
        Locator dialog = details(0);
        dialog.locator("[data-command=weight]").click();
        dialog.locator("form input[type=number]").fill("7");
        dialog.locator("form button[type=submit]").click();

        assertThat(dialog).containsText("7 by page (file: 1)");
        assertThat(row(0).locator(".col-weight")).hasText("7");

        dialog.locator("[data-command=enable]").click();
        dialog.locator("form button[type=submit]").click();
        assertThat(row(0).locator(".col-weight")).hasText("1");
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void addsAndRemovesBackend() {
        Locator pool = page.locator("[data-pool]").first();
        pool.locator("[data-command=add]").press("Enter");
        page.keyboard().type("127.0.0.1:1");
        page.keyboard().press("Tab");
        page.keyboard().press("ControlOrMeta+a");
        page.keyboard().type("3");
        pool.locator("form input[type=checkbox]").check();
        pool.locator("form input").last().fill("sale");
        page.keyboard().press("Enter");

        Locator added = page.locator("tr[data-backend='web/127.0.0.1:1']");
        assertThat(added.locator(".col-weight")).hasText("3");
        assertThat(added.locator(".tag")).hasText("backup");
        assertThat(pool.locator("[role=status]")).hasText("127.0.0.1:1 was added.");
        assertThat(page.locator("[data-change='127.0.0.1:1']"))
                .containsText("added 127.0.0.1:1 with weight 3, as a backup");
        assertThat(page.locator("[data-change='127.0.0.1:1']")).containsText("by page: sale");

        added.locator(".col-addr button").click();
        Locator dialog = page.locator("dialog[open]");
        dialog.locator("[data-command=remove]").click();
        dialog.locator("form button[type=submit]").click();
        assertThat(dialog).containsText("The backend was removed from the pool");
        page.keyboard().press("Escape");

        assertThat(added).hasCount(0);
        assertThat(page.locator("[data-change='127.0.0.1:1']")).hasCount(0);
        assertThat(row(0)).hasAttribute("data-state", "up");
        // The browser logs a 404 response if the dialog asks for details before it closes.
        assertThat(chromium.complaints())
                .allMatch("Failed to load resource: the server responded with a status of 404 (Not Found)"::equals);
    }

    @Test
    void editOfConfiguredBackendIsReverted() {
        Locator dialog = details(1);
        dialog.locator("[data-command=remove]").click();
        dialog.locator("form button[type=submit]").click();
        assertThat(dialog).containsText("The backend was removed from the pool");
        page.keyboard().press("Escape");
        assertThat(row(1)).hasCount(0);

        page.locator("[data-change] button").click();

        assertThat(row(1)).hasAttribute("data-state", "up");
        assertThat(page.locator("[data-change]")).hasCount(0);
    }

    @Test
    void existingBackendIsNotAddedTwice() {
        Locator pool = page.locator("[data-pool]").first();
        pool.locator("[data-command=add]").click();
        page.keyboard().type(balancer.name(0).substring("web/".length()));
        page.keyboard().press("Enter");

        assertThat(pool.locator("form [role=alert]")).containsText("already has this backend");
    }

    @Test
    void startsAndEndsMaintenanceOfPool() {
        Locator pool = page.locator("[data-pool]").first();
        pool.locator("[data-command=maintenance]").click();
        page.keyboard().type("move");
        page.keyboard().press("Enter");

        assertThat(pool.locator(".pill")).hasText("under maintenance");
        assertThat(page.locator(".event-list")).containsText("put under maintenance by page: move");

        pool.locator("[data-command=serve]").click();
        page.keyboard().press("Enter");
        assertThat(pool.locator(".pill")).hasText("2 of 2 in service");
        assertThat(chromium.complaints()).isEmpty();
    }

    private static void drain(Locator dialog) {
        dialog.locator("[data-command=drain]").click();
        dialog.locator("form button[type=submit]").click();
    }

    private Locator details(int index) {
        row(index).locator(".col-addr button").click();
        return page.locator("dialog[open]");
    }

    private Locator row(int index) {
        return page.locator("tr[data-backend='" + balancer.name(index) + "']");
    }
}
