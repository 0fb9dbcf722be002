package io.ballast.server.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/** Tests the dashboard of a process that forwards DNS queries and blocks some names. */
class ForwardingPageE2eIT {

    private static final String QUERIES = """
            {"memory": 1000, "sample": 1, "dropped": 0, "queries": [
              {"time": 1700000000000, "client": "192.0.2.7", "transport": "udp", "name": "www.example.com", "type": "A",
               "rcode": "NOERROR", "outcome": "miss", "by": "127.0.0.1:1", "ms": 12.5, "bytes": 64},
              {"time": 1700000000000, "client": "", "transport": "tcp", "name": "a.tracker.example", "type": "AAAA",
               "rcode": "NXDOMAIN", "outcome": "blocked", "by": "own", "ms": 0.02, "bytes": 90}]}
            """;

    @TempDir
    private Path directory;

    @RegisterExtension
    private final Chromium chromium = new Chromium();

    private RunningBalancer balancer;

    @BeforeEach
    void start() throws Exception {
        balancer = new RunningBalancer(directory, """
                pools:
                  resolvers: {backends: ["127.0.0.1:1"], health: {type: none}}
                dns:
                  listeners: [{bind: "127.0.0.1:0"}]
                  forward:
                    pool: resolvers
                    filter: {lists: [{name: own, rules: ["||tracker.example^"]}]}
                """);
    }

    @AfterEach
    void stop() {
        chromium.closePages();
        balancer.close();
    }

    @Test
    void blockedQueriesAreCountedByList() throws Exception {
        Page page = chromium.open(balancer.page());
        Locator list = page.locator("#forwarding tr[data-list='own']");
        assertThat(list).containsText("1");

        query(page, "a.tracker.example.");

        assertThat(page.locator("#forwarding .log-lines tbody tr").first()).containsText("a.tracker.example");
        assertThat(page.locator("#forwarding .log-lines tbody tr").first()).containsText("blocked");

        assertThat(list.locator("td").nth(1)).hasText("1");
        assertThat(page.locator("#forwarding .figures")).containsText("1 total");
        assertThat(page.locator("#forwarding .upstreams")).containsText("127.0.0.1:1");
        assertThat(page.locator("#forwarding .plot")).hasAttribute("aria-label", Pattern.compile("Over the last 1 h"));
        page.locator("#forwarding .ranges button", new Page.LocatorOptions().setHasText("24 h"))
                .click();
        assertThat(page.locator("#forwarding .plot")).hasAttribute("aria-label", Pattern.compile("Over the last 24 h"));
        assertThat(page.locator("header nav")).containsText("Forwarding");
    }

    @Test
    void blockingIsPausedAndResumed() throws Exception {
        assumeThat(acceptsCommands()).isTrue();
        Page page = chromium.open(balancer.page());
        Locator state = page.locator("#forwarding .pause [role='status']");
        assertThat(state).hasText("The filter is active.");

        page.locator("button[data-command='pause-300']").click();
        assertThat(state).containsText("The filter is paused until");
        page.locator("button[data-command='resume']").click();

        assertThat(state).hasText("The filter is active.");
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void queriesAreFoundAndBlockedFromTheirRow() throws Exception {
        assumeThat(acceptsCommands()).isTrue();
        Page page = chromium.open("about:blank");
        page.route(
                "**/api/v1/dns/queries?*",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody(QUERIES)));
        page.navigate(balancer.page());
        Locator lines = page.locator("#forwarding .log-lines tbody tr");

        assertThat(lines).hasCount(2);
        assertThat(lines.nth(0)).containsText("www.example.com");
        assertThat(lines.nth(0)).containsText("12.5 ms");
        assertThat(lines.nth(1)).containsText("allow");
        lines.nth(0).locator("button").click();
        assertThat(page.locator("#forwarding .queries [role='status']"))
                .hasText("www.example.com is blocked from now on.");
        Locator added = page.locator("#forwarding [data-added='www.example.com']");
        assertThat(added).containsText("block");
        added.locator("button").click();
        assertThat(added).hasCount(0);

        page.waitForRequest(
                request -> request.url().contains("name=tracker"),
                () -> page.locator("#forwarding .queries input").first().fill("tracker"));
        assertThat(page.locator("#forwarding .queries [data-shown]")).containsText("of the last 1,000 queries");
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void cacheIsFlushedAfterConfirmation() {
        Page page = chromium.open(balancer.page());

        page.locator("button[data-command='flush']").click();
        assertThat(page.locator("form[aria-label='Flush the cache'] input").first())
                .isFocused();
        page.keyboard().press("Enter");

        assertThat(page.locator("#forwarding")).containsText("0 answers removed");
        assertThat(page.locator("button[data-command='flush']")).isFocused();
    }

    @ParameterizedTest
    @CsvSource({"LIGHT, 1440", "DARK, 1440", "LIGHT, 390"})
    void hasNoSeriousAccessibilityViolationAndFitsPage(ColorScheme scheme, int width) {
        Page page = chromium.open(balancer.page(), scheme, width, 844);
        assertThat(page.locator("#forwarding .lists tbody tr")).hasCount(1);
        assertThat(page.locator("#forwarding .plot")).hasCount(1);

        assertThat(Accessibility.seriousViolations(page)).isEmpty();
        assertThat((int) page.evaluate("document.documentElement.scrollWidth")).isLessThanOrEqualTo(width);
    }

    /** Whether operators can pause the filter, and allow and block names. */
    private boolean acceptsCommands() throws Exception {
        URI filter = URI.create(balancer.page()).resolve("/api/v1/dns/filter");
        return HttpClient.newHttpClient()
                        .send(HttpRequest.newBuilder(filter).build(), BodyHandlers.discarding())
                        .statusCode()
                == 200;
    }

    /** Sends a DNS query to the port that the page shows. */
    private static void query(Page page, String name) throws Exception {
        Matcher port = Pattern.compile(":([0-9]+)")
                .matcher(page.locator("#dns h2 .meta").textContent());
        assertThat(port.find()).isTrue();
        byte[] query = Message.newQuery(Record.newRecord(Name.fromString(name), Type.A, DClass.IN))
                .toWire();
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout((int) Duration.ofMinutes(1).toMillis());
            socket.send(new DatagramPacket(
                    query,
                    query.length,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1)))));
            socket.receive(new DatagramPacket(new byte[512], 512));
        }
    }
}
