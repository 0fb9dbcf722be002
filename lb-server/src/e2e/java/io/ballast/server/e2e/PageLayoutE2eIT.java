package io.ballast.server.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the layout of the dashboard page at several widths, and with many pools. */
class PageLayoutE2eIT {

    private static final int PHONE = 390;
    private static final int SHORT_PAGE_PIXELS = 2600;

    @RegisterExtension
    private final Chromium chromium = new Chromium();

    @TempDir
    private Path directory;

    @AfterEach
    void closePages() {
        chromium.closePages();
    }

    @ParameterizedTest
    @ValueSource(ints = {PHONE, 700, 1024, 1366, 1400, 1440})
    void addressesAreShownInFull(int width) throws Exception {
        try (RunningBalancer balancer = unchecked("web", List.of("192.168.100.101:18080", "192.168.100.102:18080"))) {
            Page page = open(balancer, width);
            assertThat(page.locator("tr.backend")).hasCount(2);

            assertThat(cutAddresses(page)).isEmpty();
            assertThat(page.locator("tr.backend th").first()).hasText("192.168.100.101:18080");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {PHONE, 1024, 1366})
    void longNamesWrapAndDoNotWidenPage(int width) throws Exception {
        String pool = "checkout-service-second-generation-production-europe-west-3-blue";
        String backend = "[2001:db8:1234:5678:9abc:def0:1234:5678]:18080";
        try (RunningBalancer balancer = unchecked(pool, List.of(backend))) {
            Page page = open(balancer, width);
            assertThat(page.locator("tr.backend")).hasCount(1);

            assertThat(cutAddresses(page)).isEmpty();
            assertThat((int) page.evaluate("document.documentElement.scrollWidth"))
                    .isLessThanOrEqualTo(width);
            assertThat((boolean) page.evaluate(
                            "[...document.querySelectorAll('.pool, .pool-head, .pool .scroll, .alert, .card')]"
                                    + ".every(e => e.scrollWidth <= e.clientWidth)"))
                    .isTrue();
        }
    }

    @Test
    void manyPoolsAreCollapsed() throws Exception {
        try (RunningBalancer balancer = new RunningBalancer(directory, pools(12, 20))) {
            Page page = open(balancer, 1366);
            assertThat(page.locator(".pool")).hasCount(12);

            assertThat(page.locator("tr.backend")).hasCount(0);
            assertThat(page.locator("[data-pool=p7] .pool-head")).containsText("20 of 20 in service");
            assertThat((int) page.evaluate("document.documentElement.scrollHeight"))
                    .isLessThan(SHORT_PAGE_PIXELS);
            page.locator("[data-pool=p7] .fold").click();
            assertThat(page.locator("[data-pool=p7] tr.backend")).hasCount(20);
            assertThat(page.locator("tr.backend")).hasCount(20);
            assertThat(chromium.complaints()).isEmpty();
        }
    }

    @Test
    void routesLinkToTheirPools() throws Exception {
        try (RunningBalancer balancer = new RunningBalancer(directory, pools(12, 20))) {
            Page page = open(balancer, 1366);
            assertThat(page.locator("tr.backend")).hasCount(0);
            Locator link = page.locator("#routes td.action a").first();
            String pool = link.textContent();

            link.click();
            assertThat(page.locator("[data-pool=" + pool + "] tr.backend")).hasCount(20);
            assertThat(page.locator("[data-pool=" + pool + "] .pool-head")).isInViewport();
        }
    }

    /** The labels of both axes of a chart are texts on a canvas, so the test records what is drawn. */
    @Test
    void labelsOfChartAreDistinct() throws Exception {
        try (RunningBalancer balancer = unchecked("web", List.of("192.168.100.101:18080"))) {
            Page page = open(balancer, 1366);
            page.addInitScript("""
                    const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
                    window.labels = [];
                    CanvasRenderingContext2D.prototype.clearRect = function (...area) {
                      window.labels = [];
                      clearRect.apply(this, area);
                    };
                    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
                      window.labels.push(`${this.textAlign} ${text}`);
                      fillText.call(this, text, ...place);
                    };
                    """);
            page.reload();
            for (String minutes : List.of("1 min", "5 min", "15 min")) {
                page.locator(".chart .ranges button", new Page.LocatorOptions().setHasText(minutes))
                        .first()
                        .click();
                Chromium.awaitEffects(page);
                List<?> labels = (List<?>) page.evaluate("window.labels");
                assertThat(labels).as(minutes).hasSizeGreaterThan(4).doesNotHaveDuplicates();
            }
        }
    }

    @Test
    void filterOpensMatchingPools() throws Exception {
        try (RunningBalancer balancer = new RunningBalancer(directory, pools(12, 20))) {
            Page page = open(balancer, 1366);
            assertThat(page.locator(".pool")).hasCount(12);

            page.locator("input[type=search]").fill("p7/");
            assertThat(page.locator(".pool")).hasCount(1);
            assertThat(page.locator("tr.backend")).hasCount(20);

            page.locator("input[type=search]").fill("no such backend");
            assertThat(page.locator(".pool")).hasCount(0);
            assertThat(page.locator("#no-match")).isVisible();
        }
    }

    @Test
    void longPoolShowsFirstBackends() throws Exception {
        try (RunningBalancer balancer = new RunningBalancer(directory, pools(1, 200))) {
            Page page = open(balancer, 1366);
            assertThat(page.locator("tr.backend")).hasCount(20);
            assertThat((int) page.evaluate("document.documentElement.scrollHeight"))
                    .isLessThan(SHORT_PAGE_PIXELS);

            page.locator(".more").click();

            page.evaluate("scrollTo(0, document.querySelector('.more').offsetTop - innerHeight)");
            assertThat(page.locator("tr[data-backend='p0/127.0.0.1:20199']")).isVisible();
        }
    }

    @Test
    void skipLinkAndNavigationReachAllParts() throws Exception {
        try (RunningBalancer balancer = new RunningBalancer(directory, pools(12, 20))) {
            Page page = open(balancer, 1366);
            assertThat(page.locator(".pool")).hasCount(12);

            page.keyboard().press("Tab");
            assertThat(page.locator(".skip")).isFocused();
            page.keyboard().press("Enter");
            assertThat(page.locator("#pools")).isFocused();

            page.locator(".parts a[href='#events']").click();
            assertThat(page.locator("#events")).isInViewport();
        }
    }

    /** Sets long values, because a test cannot cause response times of several seconds without waiting for them. */
    @ParameterizedTest
    @ValueSource(ints = {PHONE, 1024, 1366, 1440})
    void longFiguresDoNotOverlap(int width) throws Exception {
        try (RunningBalancer balancer = unchecked("web", List.of("192.168.100.101:18080"))) {
            Page page = open(balancer, width);
            assertThat(page.locator(".figure dd b").first()).isVisible();

            Object overlaps = page.evaluate("""
                    () => {
                      const values = [...document.querySelectorAll('.figure dd b')];
                      values.forEach(value => { value.textContent = '123,015 ms'; });
                      const boxes = values.map(value => {
                        const unit = value.parentElement.querySelector('.unit');
                        const range = document.createRange();
                        range.setStartBefore(value);
                        range.setEndAfter(unit ?? value);
                        return range.getBoundingClientRect();
                      });
                      return boxes.flatMap((a, i) => boxes.slice(i + 1).filter(b =>
                          a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length;
                    }""");

            assertThat(overlaps).isEqualTo(0);
        }
    }

    @Test
    void marksBackupsAndOmitsAverageWithoutRequests() throws Exception {
        try (RunningBalancer balancer = new RunningBalancer(directory, """
                listeners:
                  - bind: 127.0.0.1:0
                    pool: web
                pools:
                  web:
                    backends:
                      - 192.168.100.101:18080
                      - {address: "192.168.100.102:18080", backup: true}
                    health: {type: none}
                """)) {
            Page page = open(balancer, 1366);
            Locator usual = page.locator("tr[data-backend='web/192.168.100.101:18080']");
            Locator backup = page.locator("tr[data-backend='web/192.168.100.102:18080']");

            assertThat(backup.locator(".col-addr .tag")).hasText("backup");
            assertThat(usual.locator(".col-addr .tag")).hasCount(0);
            assertThat(usual.locator(".col-avg")).hasText("–");
            assertThat(usual.locator(".col-p99")).hasText("–");
            assertThat(usual.locator(".col-down")).hasText("–");

            backup.locator(".col-addr button").click();
            assertThat(page.locator("dialog[open]")).containsText("backup: used only while no other backend can serve");
        }
    }

    private Page open(RunningBalancer balancer, int width) {
        return chromium.open(balancer.page(), ColorScheme.LIGHT, width, 844);
    }

    /** Returns the addresses that extend beyond their table cell or the window. */
    @SuppressWarnings("unchecked")
    private static List<String> cutAddresses(Page page) {
        return (List<String>) page.evaluate("""
                [...document.querySelectorAll('tr.backend th')].filter(cell => {
                  const inside = cell.querySelector('button').getBoundingClientRect();
                  const around = cell.getBoundingClientRect();
                  return inside.right > Math.min(around.right, innerWidth) || cell.scrollWidth > cell.clientWidth;
                }).map(cell => cell.textContent)\
                """);
    }

    private RunningBalancer unchecked(String pool, List<String> backends) throws Exception {
        return new RunningBalancer(
                directory,
                listener(pool) + "pools:\n"
                        + pool(
                                pool,
                                backends.stream().map(each -> '"' + each + '"').collect(Collectors.joining(", "))));
    }

    private static String pools(int count, int backends) {
        return listener("p0") + "pools:\n"
                + IntStream.range(0, count)
                        .mapToObj(p -> pool(
                                "p" + p,
                                IntStream.range(0, backends)
                                        .mapToObj(b -> "127.0.0.1:" + (20_000 + p * backends + b))
                                        .collect(Collectors.joining(", "))))
                        .collect(Collectors.joining());
    }

    private static String listener(String pool) {
        return "listeners:\n  - {bind: 127.0.0.1:0, pool: %s}\n".formatted(pool);
    }

    /** Returns the configuration of a pool without health checks, so that its backends need not exist. */
    private static String pool(String name, String backends) {
        return "  %s:\n    backends: [%s]\n    health: {type: none}\n".formatted(name, backends);
    }
}
