package io.ballast.server.e2e;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.ballast.agent.registry.Hashes;
import io.ballast.net.testing.FreePort;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests the dashboard's view of agents. */
class AgentsPageE2eIT {

    private static final String TOKEN = "token of rack 1";
    private static final String SECRET = "secret of app5";

    @TempDir
    private Path directory;

    @RegisterExtension
    private final Chromium chromium = new Chromium();

    private final HttpClient client = HttpClient.newHttpClient();
    private int port;
    private RunningBalancer node;

    @BeforeEach
    void start() throws Exception {
        port = FreePort.find();
        node = new RunningBalancer(directory, """
                listeners: [{name: front, bind: "127.0.0.1:0", pool: web}]
                agents: {bind: "127.0.0.1:%d"}
                pools:
                  web:
                    agents: {approve: manual, tokens: [{name: rack1, hash: "sha256:%s"}]}
                    health: {type: none}
                """.formatted(port, Hashes.sha256(TOKEN)));
    }

    @AfterEach
    void stop() {
        chromium.closePages();
        node.close();
    }

    @Test
    void agentsAreShownApprovedAndRevoked() throws Exception {
        Page page = chromium.open(node.page());
        assertThat(page.locator("#agents")).containsText("No agent has registered yet.");

        send("", TOKEN, "{\"secret_sha256\": \"" + Hashes.sha256(SECRET) + "\"}");
        Locator row = page.locator("#agents [data-agent=app5]");
        assertThat(row).containsText("pending");
        assertThat(page.locator("#agents-title")).containsText("1 to approve");
        assertThat(Accessibility.seriousViolations(page)).isEmpty();

        row.locator("[data-command=approve]").click();
        assertThat(row).containsText("approved");
        send(
                "/backends",
                SECRET,
                "{\"backends\": [{\"pool\": \"web\", \"address\": \"127.0.0.1:9\", \"state\": \"up\"}]}");
        assertThat(row).containsText("web/127.0.0.1:9 up");

        row.locator("[data-command=revoke]").click();
        assertThat(row).containsText("Really revoke");
        row.locator("[data-command=revoke]").click();
        assertThat(row).containsText("revoked");
        assertThat(row).not().containsText("127.0.0.1:9 up");
        page.locator(".events .choices button", new Page.LocatorOptions().setHasText("agents"))
                .click();
        assertThat(page.locator(".event-list")).containsText("revoked by");
        assertThat(Accessibility.seriousViolations(page)).isEmpty();
        assertThat(chromium.complaints()).isEmpty();
    }

    @Test
    void theViewFitsOnAPhone() throws Exception {
        send("", TOKEN, "{\"secret_sha256\": \"" + Hashes.sha256(SECRET) + "\"}");
        Page page = chromium.open(node.page());
        page.setViewportSize(390, 844);
        assertThat(page.locator("#agents [data-agent]")).hasCount(1);

        assertThat((int) page.evaluate("document.documentElement.scrollWidth")).isLessThanOrEqualTo(390);
    }

    private void send(String path, String bearer, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/agents/v1/app5" + path))
                .PUT(BodyPublishers.ofString(body))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + bearer)
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }
}
