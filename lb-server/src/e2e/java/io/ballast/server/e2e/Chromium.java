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

/** A real Chromium. The system property {@code lb.chromium} or the variable {@code CHROMIUM} says where it is. */
final class Chromium implements AutoCloseable {

    /** Nothing that is awaited takes long, but on a machine that is busy with something else. */
    private static final double PATIENCE_MILLIS = 60_000;

    static {
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
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
                        .setTimeout(2 * PATIENCE_MILLIS)
                        .setArgs(List.of("--no-sandbox", "--disable-quic", "--disable-background-networking")));
    }

    /** Opens a page in a window of its own, and listens to what it complains about. */
    Page open(String address, ColorScheme scheme, int width, int height) {
        BrowserContext context = browser.newContext(
                new Browser.NewContextOptions().setColorScheme(scheme).setViewportSize(width, height));
        context.addInitScript("addEventListener('securitypolicyviolation',"
                + " e => console.error('CSP: ' + e.violatedDirective + ' ' + e.blockedURI))");
        context.setDefaultTimeout(PATIENCE_MILLIS);
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

    /** Waits until what the page does after it has drawn something is done, such as listening to keys. */
    static void awaitEffects(Page page) {
        page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(() => setTimeout(done, 50), 50)))");
    }

    /** Closes every page and forgets what they complained about. */
    void closePages() {
        List.copyOf(browser.contexts()).forEach(BrowserContext::close);
        complaints.clear();
    }

    /** Errors and warnings on the console, uncaught exceptions and violations of the security policy, of open pages. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    @Override
    public void close() {
        playwright.close();
    }
}
