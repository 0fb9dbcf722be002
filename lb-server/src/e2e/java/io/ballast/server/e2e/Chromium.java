package io.ballast.server.e2e;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A real Chromium. The system property {@code lb.chromium} or the variable {@code CHROMIUM} is its path. */
final class Chromium implements AutoCloseable {

    /** The limit of all waits. They are short, except on a machine that is busy with something else. */
    private static final double TIMEOUT_MILLIS = 60_000;

    static {
        PlaywrightAssertions.setDefaultAssertionTimeout(TIMEOUT_MILLIS);
    }

    private final Playwright playwright = Playwright.create();
    private final Browser browser;
    private final List<String> complaints = new ArrayList<>();

    Chromium() {
        String executable = Optional.ofNullable(System.getenv("CHROMIUM"))
                .orElseGet(() -> System.getProperty("lb.chromium", "/usr/bin/chromium"));
        this.browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(Path.of(executable))
                        .setTimeout(2 * TIMEOUT_MILLIS)
                        .setArgs(List.of("--no-sandbox", "--disable-quic", "--disable-background-networking")));
    }

    /** Opens a page in its own window, and records its errors and warnings. */
    Page open(String address, ColorScheme scheme, int width, int height) {
        BrowserContext context = browser.newContext(
                new Browser.NewContextOptions().setColorScheme(scheme).setViewportSize(width, height));
        context.addInitScript("addEventListener('securitypolicyviolation',"
                + " e => console.error('CSP: ' + e.violatedDirective + ' ' + e.blockedURI))");
        context.setDefaultTimeout(TIMEOUT_MILLIS);
        Page page = context.newPage();
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") || message.type().equals("warning")) {
                complaints.add(message.text());
            }
        });
        page.onPageError(complaints::add);
        page.navigate(address);
        return page;
    }

    Page open(String address) {
        return open(address, ColorScheme.LIGHT, 1440, 900);
    }

    /** Waits until the page has finished its work after a repaint, such as adding key listeners. */
    static void awaitEffects(Page page) {
        page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(() => setTimeout(done, 50), 50)))");
    }

    /** Closes all pages and clears their recorded complaints. */
    void closePages() {
        List.copyOf(browser.contexts()).forEach(BrowserContext::close);
        complaints.clear();
    }

    /** The console errors and warnings, uncaught exceptions and security policy violations of open pages. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    @Override
    public void close() {
        playwright.close();
    }
}
