package io.ballast.server.e2e;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * The browser of a test, as an extension of JUnit. All tests of a JVM use the same process, because its start takes
 * longer than most tests; each page has its own cookies and cache. Tests call {@link #closePages} at their end.
 */
final class Chromium implements BeforeEachCallback {

    private static final Namespace NAMESPACE = Namespace.create(Chromium.class);

    private final List<String> complaints = new ArrayList<>();
    private Browser browser;

    @Override
    public void beforeEach(ExtensionContext context) {
        browser = context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(BrowserProcess.class, type -> new BrowserProcess(), BrowserProcess.class)
                .browser();
    }

    /** Opens a page in its own window, and records its errors and warnings. */
    Page open(String address, ColorScheme scheme, int width, int height) {
        BrowserContext context = browser.newContext(
                new Browser.NewContextOptions().setColorScheme(scheme).setViewportSize(width, height));
        context.addInitScript("addEventListener('securitypolicyviolation',"
                + " e => console.error('CSP: ' + e.violatedDirective + ' ' + e.blockedURI))");
        context.setDefaultTimeout(BrowserProcess.TIMEOUT_MILLIS);
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

    /** Removes the handlers of requests, closes all pages and clears their recorded errors and warnings. */
    void closePages() {
        for (BrowserContext context : List.copyOf(browser.contexts())) {
            context.pages().forEach(Page::unrouteAll);
            context.close();
        }
        complaints.clear();
    }

    /** The console errors and warnings, uncaught exceptions and security policy violations of open pages. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }
}
