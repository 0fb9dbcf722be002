package io.ballast.server.e2e;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A real Chromium. The system property {@code lb.chromium} or the variable {@code CHROMIUM} contains its path. */
final class BrowserProcess implements AutoCloseable {

    /** The time limit of each wait. Waits are short, except on a machine that is busy with other work. */
    static final double TIMEOUT_MILLIS = 60_000;

    static {
        PlaywrightAssertions.setDefaultAssertionTimeout(TIMEOUT_MILLIS);
    }

    private final Playwright playwright = Playwright.create();
    private final Browser browser;

    BrowserProcess() {
        String executable = Optional.ofNullable(System.getenv("CHROMIUM"))
                .orElseGet(() -> System.getProperty("lb.chromium", "/usr/bin/chromium"));
        this.browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(Path.of(executable))
                        .setTimeout(2 * TIMEOUT_MILLIS)
                        .setArgs(List.of("--no-sandbox", "--disable-quic", "--disable-background-networking")));
    }

    Browser browser() {
        return browser;
    }

    @Override
    public void close() {
        playwright.close();
    }
}
