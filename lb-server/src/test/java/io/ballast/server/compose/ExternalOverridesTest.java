package io.ballast.server.compose;

import static io.ballast.server.compose.StartedBalancer.TIMEOUT;
import static io.ballast.server.compose.StartedBalancer.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ReloadReport.Outcome;
import io.ballast.dashboard.access.Secrets;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a whole process while an external source overrides its backends. */
class ExternalOverridesTest {

    private static final String TOKEN = Secrets.generateToken();
    private static final String OPERATOR = Secrets.generateToken();
    private static final Path SCRIPT = Path.of("../examples/external-check/external-check.sh");

    private final HttpClient client = HttpClient.newHttpClient();
    private final NamedServers servers = new NamedServers();

    @TempDir
    private Path directory;

    private String one = "";
    private String two = "";
    private @Nullable StartedBalancer running;

    @BeforeEach
    void startBackends() throws Exception {
        one = "127.0.0.1:" + servers.add("one");
        two = "127.0.0.2:" + servers.add("two", "127.0.0.2", 0);
        start(config(one, two));
    }

    @AfterEach
    void close() {
        servers.close();
        running().close();
    }

    /** Tests that Ballast does not have a fault of OpenGSLB, whose override API did not change answers. */
    @Test
    void backendLeavesHttpTcpAndDnsAndReturns() throws Exception {
        assertThat(put(one, "{\"state\": \"down\", \"reason\": \"replication lag\", \"expires\": \"5m\"}")
                        .statusCode())
                .isEqualTo(200);

        assertThat(running().answers(8)).containsOnly("two");
        assertThat(tcpAnswers(4)).containsOnly("two");
        await(() -> running().dnsAnswers().equals(Set.of("127.0.0.2")));
        running().awaitEvent("web/" + one + " down: override by lag: replication lag");
        assertThat(backend(one))
                .contains("\"state\":\"down\"", "\"origin\":\"override\"", "\"source\":\"lag\"")
                .containsPattern("\"remaining_seconds\":(29[0-9]|300)");

        assertThat(send("DELETE", one, TOKEN, "").statusCode()).isEqualTo(200);

        assertThat(running().answers(20)).containsOnly("one", "two");
        assertThat(tcpAnswers(20)).containsOnly("one", "two");
        await(() -> running().dnsAnswers().size() == 2);
        running().awaitEvent("up: override to down by lag: replication lag ended: removed by lag-check");
    }

    @Test
    void failedBackendIsKeptUpUntilTheOverrideEnds() throws Exception {
        servers.stop(1);
        await(() -> {
            running().answers(1);
            return backend(two).contains("\"state\":\"down\"");
        });
        await(() -> running().dnsAnswers().equals(Set.of("127.0.0.1")));

        assertThat(put(two, "{\"state\": \"up\"}").statusCode()).isEqualTo(200);
        await(() -> running().dnsAnswers().size() == 2);

        send("DELETE", two, TOKEN, "");
        await(() -> running().dnsAnswers().equals(Set.of("127.0.0.1")));
        assertThat(backend(two)).contains(" ended: removed by lag-check, but: ");
    }

    @Test
    void weightZeroStopsTraffic() throws Exception {
        assertThat(put(one, "{\"weight\": 0}").statusCode()).isEqualTo(200);

        assertThat(running().answers(8)).containsOnly("two");
        await(() -> running().dnsAnswers().equals(Set.of("127.0.0.2")));
        assertThat(backend(one)).contains("\"weight\":0", "\"file_weight\":1");
    }

    @Test
    void overrideExpires() throws Exception {
        put(one, "{\"state\": \"down\", \"expires\": \"1s\"}");

        running().awaitEvent("up: override to down by lag ended: it has expired");
        assertThat(running().answers(20)).containsOnly("one", "two");
    }

    @Test
    void lastUsableBackendNeedsConfirmation() throws Exception {
        put(one, "{\"state\": \"down\"}");

        HttpResponse<String> refused = put(two, "{\"state\": \"down\"}");

        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("last usable backend", "confirm=true");
        assertThat(running().answers(4)).containsOnly("two");
        assertThat(put(two, "{\"state\": \"down\", \"confirm\": true}").statusCode())
                .isEqualTo(200);
        assertThat(running().get("/").statusCode()).isEqualTo(503);
    }

    @Test
    void restartAndReloadKeepOverrides() throws Exception {
        put(one, "{\"state\": \"drain\", \"reason\": \"disk\", \"expires\": \"1h\"}");

        running().close();
        start(config(one, two));
        assertThat(running().answers(8)).containsOnly("two");
        assertThat(backend(one)).contains("override by lag: disk");

        assertThat(running()
                        .reload(config(one, two).replace("round-robin", "random"))
                        .outcome())
                .isEqualTo(Outcome.APPLIED);
        assertThat(running().answers(8)).containsOnly("two");
        assertThat(running().reload(config(two)).outcome()).isEqualTo(Outcome.APPLIED);
        running().awaitEvent("override to drain by lag: disk dropped: no longer in the configuration");
        assertThat(running().reload(config(one, two)).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(running().answers(20)).contains("one");
    }

    @Test
    void operatorWins() throws Exception {
        put(one, "{\"state\": \"down\"}");

        operator("POST", "/api/v1/pools/web/backends/" + one + "/up");
        assertThat(running().answers(20)).contains("one");
        operator("POST", "/api/v1/pools/web/backends/" + one + "/enable");
        assertThat(running().answers(8)).containsOnly("two");
    }

    @Test
    void tokenIsLimitedToItsPoolsAndSource() throws Exception {
        assertThat(put(two, "{\"state\": \"up\", \"source\": \"other\"}").statusCode())
                .isEqualTo(403);
        assertThat(request("PUT", "/api/v1/overrides/other/" + one + "?state=down", TOKEN, "")
                        .statusCode())
                .isEqualTo(403);
        assertThat(request("GET", "/stats", TOKEN, "").statusCode()).isEqualTo(403);
        assertThat(request("POST", "/api/v1/pools/web/backends/" + one + "/drain", TOKEN, "")
                        .statusCode())
                .isEqualTo(403);
        assertThat(request("PUT", "/api/v1/overrides/web/" + one + "?state=down", "wrong", "")
                        .statusCode())
                .isEqualTo(401);
        assertThat(running().answers(20)).containsOnly("one", "two");
    }

    @Test
    void commandsSetListExplainAndRemove() throws Exception {
        Path token = Files.writeString(directory.resolve("token"), OPERATOR + "\n");
        String[] auth = {"--token-file", token.toString()};

        assertThat(command(
                        0, auth, "overrides", "set", "web", one, "--state", "down", "--for", "5m", "--why", "lag 40 s"))
                .matches("web/" + one + " down by admin: lag 40 s \\((5m|4m59s) left\\)\n");
        assertThat(command(0, auth, "overrides"))
                .startsWith("POOL  ADDRESS")
                .containsPattern("web +" + one + " +admin +down +yes ");
        assertThat(command(2, auth, "overrides", "set", "web", two, "--state", "drain"))
                .contains("last usable", "--yes");
        assertThat(command(2, auth, "overrides", "set", "web", two)).contains("state, weight or both");
        assertThat(command(0, auth, "explain", "backend", "web/" + one))
                .startsWith("web/" + one + ": down, takes no traffic; decided by override\n")
                .containsPattern("\\* +override +down +down by admin: lag 40 s, until ")
                .containsPattern("  +checks +up +connected");
        assertThat(command(0, auth, "overrides", "remove", "web", one)).isEqualTo("web/" + one + ": no overrides\n");
        assertThat(command(0, auth, "overrides")).isEqualTo("no overrides\n");
        assertThat(command(2, auth, "overrides", "remove", "web", one)).contains("there is no override");
        assertThat(command(0, auth, "explain", "backend", "web/" + one)).contains("; decided by checks\n");
        assertThat(command(2, auth, "explain", "backend", "web/127.0.0.1:1")).contains("there is no backend");
        assertThat(command(2, auth, "explain", "backend", "web")).contains("POOL/ADDRESS");
    }

    @Test
    void metricsCountOverrides() throws Exception {
        put(one, "{\"state\": \"down\"}");
        put(two, "{\"state\": \"down\"}");

        await(() -> request("GET", "/metrics", OPERATOR, "")
                .body()
                .contains("ballast_override_changes_total{change=\"refused\"} 1\n"));
        assertThat(request("GET", "/metrics", OPERATOR, "").body())
                .contains("ballast_overrides{sets=\"down\"} 1\n", "ballast_override_changes_total{change=\"set\"} 1\n");
    }

    /** Runs the script from the guide. */
    @Test
    void scriptSetsAndRemovesOverride() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")));

        assertThat(script(one, "sh", "-c", "echo 'lag is \"40 s\"'; exit 1")).isEmpty();
        assertThat(running().answers(8)).containsOnly("two");
        assertThat(backend(one)).contains("override by lag: lag is \\\"40 s\\\"");
        assertThat(script(two, "false")).as("the last usable backend").isEmpty();
        assertThat(running().answers(8)).containsOnly("two");

        assertThat(script(one, "true")).isEmpty();
        assertThat(script(one, "true")).as("without an override").isEmpty();
        assertThat(running().answers(20)).containsOnly("one", "two");

        assertThat(script("127.0.0.9:1", "false")).contains("answered with status 404");
    }

    // ---- shared helpers

    private String script(String backend, String... program) throws Exception {
        Path token = Files.writeString(directory.resolve("script.token"), TOKEN + "\n");
        ProcessBuilder builder = new ProcessBuilder("sh", SCRIPT.toString(), "web", backend);
        builder.command().addAll(List.of(program));
        builder.environment().put("BALLAST_API", running().dashboard().toString());
        builder.environment().put("BALLAST_TOKEN_FILE", token.toString());
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(output.isEmpty() ? 0 : 1);
        return output;
    }

    private String command(int code, String[] auth, String... arguments) {
        String[] all = new String[arguments.length + auth.length];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        System.arraycopy(auth, 0, all, arguments.length, auth.length);
        return running().command(code, all);
    }

    private String config(String... backends) {
        return """
            data_dir: %s
            listeners:
              - {name: front, bind: "127.0.0.1:0", pool: web}
              - {name: raw, bind: "127.0.0.1:0", protocol: tcp, pool: web}
            pools:
              web: {strategy: round-robin, backends: ["%s"], health: {timeout: 1m}}
            dns:
              listeners: [{bind: "127.0.0.1:0"}]
              zones: [{name: example.org, services: [{name: www, pool: web}]}]
            dashboard:
              bind: "127.0.0.1:0"
              tokens:
                - {name: admin, token_hash: %s, role: operator}
                - {name: lag-check, token_hash: %s, role: override, source: lag, pools: [web]}
            """.formatted(
                        directory.resolve("data"),
                        String.join("\", \"", backends),
                        Secrets.hashToken(OPERATOR),
                        Secrets.hashToken(TOKEN));
    }

    private void start(String text) throws Exception {
        running = StartedBalancer.start(directory, text);
    }

    private StartedBalancer running() {
        return requireNonNull(running);
    }

    /** Returns the different answers to HTTP requests through the TCP listener, each on a connection of its own. */
    private Set<String> tcpAnswers(int requests) throws IOException {
        Set<String> bodies = new HashSet<>();
        for (int i = 0; i < requests; i++) {
            try (Socket socket = new Socket(
                    InetAddress.getLoopbackAddress(),
                    running().balancer().http().port(1))) {
                socket.setSoTimeout(Math.toIntExact(TIMEOUT.toMillis()));
                socket.getOutputStream().write("GET / HTTP/1.0\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                InputStream in = socket.getInputStream();
                String response = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
                bodies.add(response.substring(response.lastIndexOf('\n') + 1));
            }
        }
        return bodies;
    }

    private HttpResponse<String> put(String backend, String body) throws IOException, InterruptedException {
        return send("PUT", backend, TOKEN, body);
    }

    private HttpResponse<String> send(String method, String backend, String token, String body)
            throws IOException, InterruptedException {
        return request(method, "/api/v1/overrides/web/" + backend, token, body);
    }

    private void operator(String method, String path) throws IOException, InterruptedException {
        assertThat(request(method, path, OPERATOR, "").statusCode()).isEqualTo(200);
    }

    private String backend(String address) throws IOException, InterruptedException {
        return request("GET", "/api/v1/pools/web/backends/" + address, OPERATOR, "")
                .body();
    }

    private HttpResponse<String> request(String method, String path, String token, String body)
            throws IOException, InterruptedException {
        URI uri = running().dashboard().resolve(path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .header("Authorization", "Bearer " + token)
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
