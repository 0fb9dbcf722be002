package io.ballast.server.compose;

import static io.ballast.server.compose.StartedBalancer.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.ReloadReport.Outcome;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests a whole process while an operator puts one of its pools under maintenance. */
class ProcessMaintenanceTest {

    @RegisterExtension
    final ProcessFixture process = new ProcessFixture();

    @TempDir
    private Path directory;

    @Test
    void requestsGetPageDuringMaintenance() throws Exception {
        start(config("{status: 503, body: back soon, content_type: text/plain, retry_after: 2m}"));
        assertThat(running().get("/").body()).isEqualTo("one");

        assertThat(running().command(0, "pools", "maintenance", "web", "on", "--why", "move"))
                .startsWith("web: under maintenance by ");

        HttpResponse<String> answer = running().get("/");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).isEqualTo("back soon");
        assertThat(answer.headers().firstValue("content-type")).hasValue("text/plain");
        assertThat(answer.headers().firstValue("retry-after")).hasValue("120");
        assertThat(running().request(running().front(), "HEAD", "/").headers().firstValue("content-length"))
                .hasValue("9");
        assertThat(running().texts())
                .anySatisfy(text ->
                        assertThat(text).startsWith("put under maintenance by ").endsWith(": move"));
        assertThat(running().request(running().dashboard(), "GET", "/readyz").statusCode())
                .as("its page is served")
                .isEqualTo(200);

        assertThat(running().command(0, "pools", "maintenance", "web", "off")).isEqualTo("web: 1 of 1 take traffic\n");
        assertThat(running().get("/").body()).isEqualTo("one");
        assertThat(running().command(2, "pools", "maintenance", "api", "on")).contains("there is no pool api");
    }

    @Test
    void dnsAnswersAsIfAllAreDown() throws Exception {
        start(config("{body: x}").replace("pool: web}]}]", "pool: web, when_all_down: nodata}]}]"));
        assertThat(running().dnsAnswers()).isEqualTo(Set.of("127.0.0.1"));

        running().command(0, "pools", "maintenance", "web", "on");

        await(() -> running().dnsAnswers().isEmpty());
        running().command(0, "pools", "maintenance", "web", "off");
        await(() -> running().dnsAnswers().equals(Set.of("127.0.0.1")));
    }

    @Test
    void reloadReadsPageAndRestartKeepsMaintenance() throws Exception {
        Path page = Files.writeString(directory.resolve("page.html"), "<p>first</p>");
        start(config("{file: page.html, status: 200}"));
        running().command(0, "pools", "maintenance", "web", "on");
        assertThat(running().get("/").body()).isEqualTo("<p>first</p>");
        assertThat(running().get("/").statusCode()).isEqualTo(200);

        Files.writeString(page, "<p>second</p>");
        assertThat(running().reload(config("{file: page.html}")).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(running().get("/").body()).isEqualTo("<p>second</p>");
        assertThat(running().get("/").headers().firstValue("content-type")).hasValue("text/html; charset=utf-8");
        running().close();
        start(config("{file: page.html}"));

        assertThat(running().get("/").body()).isEqualTo("<p>second</p>");
    }

    @Test
    void rejectsTooLargeOrMissingPage() throws Exception {
        start(config("{body: x}"));
        Files.writeString(directory.resolve("large.html"), "x".repeat(64 * 1024 + 1));

        assertRefused("{file: large.html}", "is larger than 65536 bytes");
        assertRefused("{file: gone.html}", "gone.html cannot be read: ");
        assertRefused("{file: gone.html, body: x}", "body");
    }

    private void assertRefused(String maintenance, String why) throws Exception {
        ReloadReport report = running().reload(config(maintenance));
        assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(report.errors())
                .anySatisfy(error ->
                        assertThat(error).startsWith(running().file() + ":5:").contains(why));
    }

    @Test
    void plain503WithoutPage() throws Exception {
        start(config("{body: x}").replace("maintenance: {body: x}, ", ""));

        running().command(0, "pools", "maintenance", "web", "on");

        assertThat(running().get("/").body()).startsWith("503 Service Unavailable");
    }

    private String config(String maintenance) {
        return """
            data_dir: %s
            listeners:
              - {name: front, bind: "127.0.0.1:0", pool: web}
            pools:
              web: {maintenance: %s, backends: ["%s"], health: {timeout: 1m}}
            dns:
              listeners: [{bind: "127.0.0.1:0"}]
              zones: [{name: example.org, services: [{name: www, pool: web}]}]
            dashboard: {bind: "127.0.0.1:0"}
            """.formatted(directory.resolve("data"), maintenance, process.backend());
    }

    private void start(String text) throws Exception {
        process.start(directory, text);
    }

    private StartedBalancer running() {
        return process.running();
    }
}
