package io.ballast.server.command.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import io.ballast.server.Main;
import io.ballast.server.compose.Balancer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the commands that change the filter of a running balancer. */
class DnsFilterCommandsTest {

    private static final String CONFIG = """
        dns:
          listeners: [{bind: "127.0.0.1:0"}]
          forward:
            pool: resolvers
            filter: {lists: [{name: ads, rules: ["||ads.example^"]}]}
            groups: [{name: children, clients: 127.0.7.0/24}]
        dashboard: {bind: "127.0.0.1:0"}
        pools:
          resolvers: {backends: ["127.0.0.1:1"], health: {type: none}}
        data_dir: %s
        """;

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String api = "";

    @Test
    void commandsChangeRunningBalancer() throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), CONFIG.formatted(directory.resolve("data")));
        BallastConfig config = ConfigLoader.ofProcess().load(file).config();
        try (Balancer balancer = Balancer.start(config)) {
            api = "http://127.0.0.1:"
                    + balancer.dashboardAddress().orElseThrow().getPort();

            assertThat(order("pause", "--for", "10m", "--group", "children")).isEqualTo("paused for 10m\n");
            assertThat(order("block", "games.example")).isEqualTo("blocked: games.example\n");
            assertThat(order("allow", "ads.example")).isEqualTo("allowed: ads.example\n");
            assertThat(state())
                    .contains("\"name\":\"children\",\"filtered\":false,\"lists\":[]")
                    .contains("\"paused_by\":\"" + System.getProperty("user.name") + "\"")
                    .contains("\"name\":\"games.example\"");
            assertThat(order("resume")).isEqualTo("resumed\n");
            assertThat(order("accept", "ads")).isEqualTo("accepted: ads\n");
            assertThat(run("dns", "accept", "others", "--api", api)).isEqualTo(2);
            assertThat(err.toString()).contains("list: others (expected: one of [ads])");
            assertThat(order("forget", "games.example")).isEqualTo("forgotten: games.example\n");
            assertThat(state())
                    .startsWith("{\"paused_until\":0,\"paused_by\":\"\"")
                    .contains("\"name\":\"children\",\"filtered\":true,\"lists\":[\"ads\"]")
                    .doesNotContain("games.example");
            assertThat(run("dns", "pause", "--api", api, "--for", "25h")).isEqualTo(2);
            assertThat(run("dns", "pause", "--api", api, "--for", "long")).isEqualTo(2);
            assertThat(run("dns", "resume", "--api", api, "--group", "nobody")).isEqualTo(2);
            assertThat(run("dns", "forget", "games.example", "--api", api)).isEqualTo(2);
            assertThat(err.toString())
                    .contains("expected: 1..86400")
                    .contains("--for: ")
                    .contains("one of [default, children]")
                    .contains("name: games.example (expected: a name that was allowed or blocked)");
        }
    }

    private String order(String... order) {
        String[] args = new String[order.length + 3];
        args[0] = "dns";
        System.arraycopy(order, 0, args, 1, order.length);
        args[order.length + 1] = "--api";
        args[order.length + 2] = api;
        out.getBuffer().setLength(0);
        assertThat(run(args)).as(err.toString()).isZero();
        return out.toString();
    }

    private String state() throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(api + "/api/v1/dns/filter")).build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body()
                .replaceAll("\\s", "");
    }

    private int run(String... args) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }
}
