package io.ballast.server.command.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import io.ballast.server.Main;
import io.ballast.server.compose.Balancer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Tests explanations of DNS answers, from a configuration file and from a running balancer. */
class DnsExplainCommandTest {

    private static final String CONFIG = """
        geo:
          regions: {eu: {cidrs: [192.0.2.0/24]}, us: {cidrs: [198.51.100.0/24]}}
          default_region: eu
        dns:
          listeners: [{bind: "127.0.0.1:0"}]
          zones:
            - name: example.com
              services:
                - name: app
                  regions:
                    eu: {pool: eu, routing: hash}
                    us: {routing: failover, targets: [us, eu]}
                  ttl: {min: 5s, max: 60s}
                - {name: near, routing: latency, targets: [eu, us], latency: {learned: true}}
                - {name: web, pool: us, https: {alpn: [h2, h3]}}
        dashboard: {bind: "127.0.0.1:0"}
        pools:
          eu: {backends: ["127.0.0.1:1"], health: {type: none}}
          us: {backends: ["127.0.0.2:1", "127.0.0.3:1"], health: {type: none}}
        """;

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void explainsFileForClient() throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), CONFIG);

        int code = run("dns", "explain", "app.example.com", "--from", "198.51.100.7", file.toString());

        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "app.example.com A for 198.51.100.7, region us by network 198.51.100.0/24",
                        "answer:   127.0.0.2, 127.0.0.3",
                        "decided:  the client's region is us",
                        "ttl:      60 s, checks cannot change the answer (between 5 and 60)",
                        "* geo (up: 4 of 4 healthy): the client's region is us",
                        "  - region eu: pool eu, hash (up: 1 of 1 healthy): by the hash of the client's network,"
                                + " answers: 1",
                        "    - 127.0.0.1:1 up: not checked: checks are off in the configuration",
                        "  * region us: failover (up: 3 of 3 healthy): the first target that is up",
                        "    * choice 1: pool us, round-robin (up: 2 of 2 healthy): the healthy backends in turn, answers: all",
                        "      * 127.0.0.2:1 up: not checked: checks are off in the configuration",
                        "      * 127.0.0.3:1 up: not checked: checks are off in the configuration",
                        "    - choice 2: pool eu, round-robin (up: 1 of 1 healthy): the healthy backends in turn, answers: all",
                        "      - 127.0.0.1:1 up: not checked: checks are off in the configuration");
    }

    @Test
    void rejectsNamesWithoutServiceAndOtherTypes() throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), CONFIG);

        assertThat(run("dns", "explain", "nope.example.com", file.toString())).isEqualTo(1);
        assertThat(run("dns", "explain", "app.example.com")).isEqualTo(2);
        err.getBuffer().setLength(0);
        assertThat(run("dns", "explain", "app.example.com", "--type", "MX", file.toString()))
                .isEqualTo(1);
        assertThat(err.toString().lines()).containsExactly("lb: type: MX (expected: A, AAAA for app.example.com)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"198.51.100.0/25", "198.51.100.7/25"})
    void acceptsNetworkAsClient(String client) throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), CONFIG);

        assertThat(run("dns", "explain", "app.example.com", "--from", client, file.toString()))
                .isZero();

        assertThat(out.toString().lines())
                .startsWith(
                        "app.example.com A for 198.51.100.0/25, region us by network 198.51.100.0/24",
                        "answer:   127.0.0.2, 127.0.0.3");
    }

    @Test
    void explainsHttpsRecordByHints() throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), CONFIG);

        assertThat(run("dns", "explain", "web.example.com", "--type", "https", file.toString()))
                .isZero();
        assertThat(run("dns", "explain", "app.example.com", "--type", "HTTPS", file.toString()))
                .isEqualTo(1);

        assertThat(out.toString().lines())
                .startsWith(
                        "web.example.com HTTPS for an unspecified client",
                        "answer:   1 . alpn=h2,h3 ipv4hint=127.0.0.2,127.0.0.3",
                        "decided:  hints are taken from the A and AAAA addresses, at most 8 of each")
                .contains("  * pool us, round-robin (up: 2 of 2 healthy): the healthy backends in turn, answers: all")
                .anyMatch(line -> line.startsWith("AAAA: "));
        assertThat(err.toString()).isEqualToIgnoringNewLines("lb: type: HTTPS (expected: A, AAAA for app.example.com)");
    }

    @Test
    void errorNamesUnreachableApi() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        String api = "http://127.0.0.1:" + port;

        assertThat(run("dns", "explain", "app.example.com", "--api", api)).isEqualTo(1);
        assertThat(run("dns", "explain", "app.example.com", "--api", "127.0.0.1"))
                .isEqualTo(1);

        assertThat(err.toString().lines())
                .containsExactly(
                        "lb: " + api + ": cannot be reached (expected: the dashboard of a running balancer)",
                        "lb: --api: 127.0.0.1 (expected: the URL of a dashboard such as http://127.0.0.1:8001)");
    }

    @Test
    @Timeout(60)
    void runningBalancerExplains() throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), CONFIG);
        BallastConfig config = ConfigLoader.ofProcess().load(file).config();
        try (Balancer balancer = Balancer.start(config)) {
            InetSocketAddress dashboard = balancer.dashboardAddress().orElseThrow();
            URI api = URI.create("http://127.0.0.1:" + dashboard.getPort());
            String reports =
                    "[%1$s,%1$s,%1$s]".formatted("{\"client\":\"203.0.113.9\",\"pool\":\"us\",\"rtt_ms\":12.5}");

            assertThat(post(api, "application/json", reports)).isEqualTo("200 {\"accepted\":3}");
            assertThat(post(api, "application/json", reports.replace("us", "mars")))
                    .startsWith("404 ")
                    .contains("there is no pool mars");
            assertThat(post(api, "application/json", "{}")).startsWith("400 ");
            assertThat(post(api, "text/plain", reports)).startsWith("415 ");

            // The control plane processes the reports asynchronously.
            do {
                out.getBuffer().setLength(0);
                assertThat(run("dns", "explain", "near.example.com", "--from", "203.0.113.77", "--api", api.toString()))
                        .isZero();
            } while (!out.toString().contains("round trip"));
            assertThat(err.toString()).isEmpty();
            assertThat(out.toString())
                    .contains("the shortest round trip reported for the client's network")
                    .contains("* no check time known: pool us, round-robin");

            out.getBuffer().setLength(0);
            assertThat(run(
                            "dns",
                            "explain",
                            "web.example.com",
                            "--type",
                            "HTTPS",
                            "--from",
                            "198.51.100.0/24",
                            "--api",
                            api.toString()))
                    .isZero();
            assertThat(out.toString()).contains("for 198.51.100.0/24", "ipv4hint=127.0.0.2,127.0.0.3");

            assertThat(run("dns", "explain", "nope.example.com", "--api", api.toString()))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("name: nope.example.com (expected: the name of a service)");
        }
    }

    @Test
    @Timeout(60)
    void listsServicesWithCurrentAnswers() throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), CONFIG);
        try (Balancer balancer =
                Balancer.start(ConfigLoader.ofProcess().load(file).config())) {
            InetSocketAddress dashboard = balancer.dashboardAddress().orElseThrow();
            URI api = URI.create("http://127.0.0.1:" + dashboard.getPort());

            assertThat(get(api, "/api/v1/dns/services"))
                    .startsWith("200 ")
                    .contains("\"total\":3", "\"name\":\"app.example.com\"", "\"name\":\"near.example.com\"")
                    .contains("\"answer\":[\"127.0.0.1\"]", "\"decision\":\"the client's region is eu\"");
            assertThat(get(api, "/api/v1/dns/services?offset=1&limit=1"))
                    .contains("\"total\":3", "near.example.com")
                    .doesNotContain("app.example.com");
            assertThat(get(api, "/api/v1/dns/services?offset=7")).contains("\"services\":[]");
            assertThat(get(api, "/api/v1/dns/services?limit=-1")).startsWith("400 ");
            assertThat(get(api, "/api/v1/dns/services?limit=all")).startsWith("400 ");
        }
    }

    private static String get(URI api, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(api.resolve(path)).build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    private static String post(URI api, String type, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(api.resolve("/api/v1/dns/latency"))
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    private int run(String... arguments) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(arguments);
    }
}
