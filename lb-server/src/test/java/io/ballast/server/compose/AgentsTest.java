package io.ballast.server.compose;

import static io.ballast.server.compose.StartedBalancer.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.agent.registry.Hashes;
import io.ballast.core.control.ReloadReport.Outcome;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a node to which agents report over HTTPS. */
class AgentsTest {

    private static final String TOKEN = "token of rack 1";
    private static final String SECRET = "secret of a1";
    private static final String REGISTRATION = "{\"secret_sha256\": \"" + Hashes.sha256(SECRET) + "\"}";

    private final NamedServers servers = new NamedServers();
    private final TestCertificate certificate = TestCertificate.create();
    private final HttpClient client =
            HttpClient.newBuilder().sslContext(certificate.client()).build();

    @TempDir
    private Path directory;

    private String one = "";
    private String two = "";
    private StartedBalancer node;

    @BeforeEach
    void start() throws Exception {
        one = "127.0.0.1:" + servers.add("one");
        two = "127.0.0.2:" + servers.add("two", "127.0.0.2", 0);
        certificate.write(directory);
        node = StartedBalancer.start(directory, config("none", ""));
    }

    @AfterEach
    void close() {
        node.close();
        servers.close();
    }

    private String config(String check, String approve) {
        return """
            listeners: [{name: web, bind: "127.0.0.1:0", pool: web}]
            dashboard: {bind: "127.0.0.1:0"}
            data_dir: %1$s/data
            agents:
              bind: 127.0.0.1:0
              tls: {certificate: %1$s/server.crt, key: %1$s/server.key}
              stale: 2s
            pools:
              web:
                agents: {tokens: [{name: rack1, hash: "sha256:%2$s"}]%4$s}
                health: {type: %3$s}
            """.formatted(directory, Hashes.sha256(TOKEN), check, approve);
    }

    @Test
    void backendsJoinDrainAndLeaveThePool() throws Exception {
        assertThat(node.get("/").statusCode()).isEqualTo(503);
        assertThat(send("PUT", "/a1", TOKEN, REGISTRATION).body()).contains("\"status\":\"approved\"");

        assertThat(report(up(one), up(two))).contains("\"accepted\":true").doesNotContain("false");
        awaitAnswers("one", "two");

        report(up(one), state(two, "drain"));
        awaitAnswers("one");
        node.awaitEvent("draining: drain by agent a1");

        report(up(one), state(two, "down"));
        node.awaitEvent("down: down by agent a1");
        assertThat(node.answers(10)).containsOnly("one");

        report(up(two));
        awaitAnswers("two");
        assertThat(send("DELETE", "/a1", SECRET, "").statusCode()).isEqualTo(200);
        await(() -> node.get("/").statusCode() == 503);
    }

    @Test
    void checksOfTheNodeDecideBeforeTheAgent() throws Exception {
        node.close();
        node = StartedBalancer.start(directory, config("tcp, interval: 200ms", ""));
        register();
        report(up(one), up("127.0.0.3:1"));
        awaitAnswers("one");

        report(state(one, "down"), up("127.0.0.3:1"));
        await(() -> explain(one).contains("down by agent a1"));
        assertThat(explain(one)).contains("\"state\":\"up\"", "\"decided_by\":\"checks\"");
        assertThat(node.answers(5)).containsOnly("one");
    }

    @Test
    void revokedAgentLosesItsBackendsAndIsRefused() throws Exception {
        register();
        report(up(one));
        awaitAnswers("one");

        assertThat(node.command(0, "agents")).contains("a1", "approved", "rack1");
        long start = System.nanoTime();
        assertThat(node.command(0, "agents", "revoke", "a1")).contains("a1: revoked");
        await(() -> node.get("/").statusCode() == 503);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));

        assertThat(send("PUT", "/a1/backends", SECRET, document(up(one))).statusCode())
                .isEqualTo(403);
        assertThat(send("PUT", "/a1", TOKEN, REGISTRATION).statusCode()).isEqualTo(403);
        assertThat(node.command(0, "agents", "approve", "a1")).contains("a1: approved");
        report(up(one));
        awaitAnswers("one");
        assertThat(node.command(2, "agents", "show", "other")).contains("there is no agent other");
    }

    @Test
    void manualApprovalAndTokens() throws Exception {
        node.close();
        node = StartedBalancer.start(directory, config("none", ", approve: manual"));
        assertThat(send("PUT", "/a1", TOKEN, REGISTRATION).body()).contains("\"status\":\"pending\"");
        assertThat(report(up(one))).contains("lb agents approve a1");

        assertThat(node.command(0, "agents", "approve", "a1")).contains("a1: approved");
        assertThat(report(up(one))).contains("\"accepted\":true");
        awaitAnswers("one");

        assertThat(node.command(0, "tokens")).contains("rack1", "valid");
        assertThat(node.command(0, "tokens", "revoke", "rack1")).contains("token rack1: revoked");
        assertThat(send("PUT", "/a2", TOKEN, REGISTRATION).statusCode()).isEqualTo(401);
        assertThat(report(up(one))).contains("\"accepted\":true");
    }

    @Test
    void agentsSurviveARestart() throws Exception {
        register();
        report(up(one));
        awaitAnswers("one");

        node.close();
        node = StartedBalancer.start(directory, config("none", ""));

        awaitAnswers("one");
        assertThat(report(up(one), up(two))).doesNotContain("false");
        awaitAnswers("one", "two");
    }

    @Test
    void silentAgentIsStaleAndItsUncheckedBackendsAreDown() throws Exception {
        register();
        report(up(one));
        awaitAnswers("one");

        await(() -> node.get("/").statusCode() == 503);
        node.awaitEvent("has not reported for 2 s");

        report(up(one));
        awaitAnswers("one");
    }

    @Test
    void commandsOfOperatorsReachTheWaitingAgent() throws Exception {
        register();
        report(up(one), up(two));
        awaitAnswers("one", "two");
        String first = send("GET", "/a1/commands", SECRET, "").body();
        assertThat(first).contains("\"address\":\"" + one + "\",\"wanted\":\"serve\"");
        String version = first.replaceFirst(".*\"version\":\"([0-9a-f]+)\".*", "$1");

        CompletableFuture<HttpResponse<String>> waiting = client.sendAsync(
                request("GET", "/a1/commands?wait=50&after=" + version, SECRET, ""), BodyHandlers.ofString());
        node.command(0, "backends", "drain", "web", one);

        assertThat(waiting.join().body()).contains("\"address\":\"" + one + "\",\"wanted\":\"drain\"");
    }

    @Test
    void wrongTokensAreSlowedAndRightSecretsAreNot() throws Exception {
        register();
        int refused = 0;
        for (int i = 0; i < 6; i++) {
            HttpResponse<String> response = send("PUT", "/a2", "wrong", REGISTRATION);
            refused += response.statusCode() == 429 ? 1 : 0;
            assertThat(response.statusCode()).isIn(401, 429);
        }
        assertThat(refused).isPositive();
        assertThat(report(up(one))).contains("\"accepted\":true");
    }

    @Test
    void anAddedBackendStaysWhenTheAgentIsForgotten() throws Exception {
        node.close();
        node = StartedBalancer.start(directory, config("none", "").replace("stale: 2s", "stale: 1s\n  forget: 1s"));
        register();
        report(up(one));
        awaitAnswers("one");
        node.command(0, "backends", "add", "web", two);
        awaitAnswers("one", "two");

        awaitAnswers("two");
        node.awaitEvent("removed: agent a1 has not reported for 1 s");

        assertThat(node.answers(10)).containsOnly("two");
    }

    @Test
    void aReloadKeepsBackendsOfAgentsAndAddedOnes() throws Exception {
        register();
        report(up(one));
        node.command(0, "backends", "add", "web", two);
        awaitAnswers("one", "two");

        assertThat(node.reload(config("none", "") + "grace: 1s\n").outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(node.answers(10)).containsOnly("one", "two");
        assertThat(report(up(one))).contains("\"accepted\":true");
    }

    @Test
    void backendsMayHaveIpv6Addresses() throws Exception {
        String six = "[::1]:" + servers.add("six", "::1", 0);
        register();
        assertThat(report(up(six))).contains("\"accepted\":true");
        awaitAnswers("six");

        node.command(0, "backends", "drain", "web", six, "--yes");
        node.command(0, "backends", "enable", "web", six);
        assertThat(send("DELETE", "/a1", SECRET, "").statusCode()).isEqualTo(200);
        await(() -> !node.stats().contains(six)); // the backend is drained immediately, and removed later

        node.command(0, "backends", "add", "web", six);
        awaitAnswers("six");
        node.command(0, "backends", "weight", "web", six, "3");
        node.command(0, "backends", "remove", "web", six, "--yes");
        await(() -> node.get("/").statusCode() == 503);
    }

    @Test
    void agentsReportRoundTripTimesOfTheirPools() throws Exception {
        register();
        String times = "[{\"client\": \"203.0.113.9\", \"pool\": \"web\", \"rtt_ms\": 12.5}]";
        assertThat(send("PUT", "/a1/latency", SECRET, times).statusCode()).isEqualTo(404);

        node.close();
        node = StartedBalancer.start(directory, config("none", "").replace("stale: 2s", "latency: true") + """
                dns:
                  listeners: [{bind: "127.0.0.1:0"}]
                  zones:
                    - name: example.org
                      services: [{name: www, routing: latency, targets: [web], latency: {learned: true}}]
                """);
        assertThat(send("PUT", "/a1/latency", SECRET, times).statusCode()).isEqualTo(200);
        await(() ->
                node.request(node.dashboard(), "GET", "/metrics").body().contains("ballast_agent_latencies_total 1\n"));
        assertThat(send("PUT", "/a1/latency", SECRET, times.replace("web", "other"))
                        .statusCode())
                .isEqualTo(404);
        assertThat(send("PUT", "/a1/latency", SECRET, "{}").statusCode()).isEqualTo(400);
        assertThat(send("PUT", "/a1/latency", "other", times).statusCode()).isEqualTo(401);
    }

    @Test
    void heartbeatsRepeatTheLastReportInAFewBytes() throws Exception {
        register();
        String document = document(up(one));
        report(up(one));
        awaitAnswers("one");
        String version = Hashes.version(document.getBytes(StandardCharsets.UTF_8));

        HttpResponse<String> repeated = send("PUT", "/a1/heartbeat?report=" + version, SECRET, "");
        assertThat(repeated.statusCode()).isEqualTo(200);
        assertThat(repeated.headers().map()).containsOnlyKeys("content-type", "cache-control", "content-length");

        node.close();
        node = StartedBalancer.start(directory, config("none", ""));
        assertThat(send("PUT", "/a1/heartbeat?report=" + version, SECRET, "").statusCode())
                .isEqualTo(409);
        report(up(one));
        assertThat(send("PUT", "/a1/heartbeat?report=" + version, SECRET, "").statusCode())
                .isEqualTo(200);
    }

    @Test
    void invalidRequestsNameTheField() throws Exception {
        register();
        assertThat(send("PUT", "/a1/backends", SECRET, "{\"backends\": [{\"pool\": \"web\"}]}")
                        .body())
                .contains("backends[0].address");
        assertThat(send("PUT", "/a1/backends", SECRET, "{\"backend\": []}").body())
                .contains("field: backend");
        assertThat(send("PUT", "/a1/backends", SECRET, document(state(one, "maybe")))
                        .body())
                .contains("up, down or drain");
        assertThat(send("GET", "/a1/commands?wait=51", SECRET, "").statusCode()).isEqualTo(400);
        assertThat(send("GET", "/a1/commands", "", "").statusCode()).isEqualTo(401);
        assertThat(send("GET", "/openapi.json", "", "").body()).contains("\"openapi\"");
    }

    private void register() throws Exception {
        assertThat(send("PUT", "/a1", TOKEN, REGISTRATION).statusCode()).isEqualTo(200);
    }

    private String report(String... backends) throws Exception {
        HttpResponse<String> response = send("PUT", "/a1/backends", SECRET, document(backends));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }

    private static String document(String... backends) {
        return "{\"backends\": [" + String.join(", ", backends) + "]}";
    }

    private static String up(String address) {
        return state(address, "up");
    }

    private static String state(String address, String state) {
        return "{\"pool\": \"web\", \"address\": \"" + address + "\", \"state\": \"" + state + "\"}";
    }

    private void awaitAnswers(String... names) throws Exception {
        await(() -> node.get("/").statusCode() == 200 && node.answers(10).equals(java.util.Set.of(names)));
    }

    private String explain(String address) throws Exception {
        return node.request(node.dashboard(), "GET", "/api/v1/backends/web/" + address + "/explain")
                .body();
    }

    private HttpResponse<String> send(String method, String path, String bearer, String body)
            throws IOException, InterruptedException {
        return client.send(request(method, path, bearer, body), BodyHandlers.ofString());
    }

    private HttpRequest request(String method, String path, String bearer, String body) {
        int port = node.balancer().agentsAddress().orElseThrow().getPort();
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("https://127.0.0.1:" + port + "/agents/v1" + path))
                .timeout(Duration.ofSeconds(60))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .header("Content-Type", "application/json");
        if (!bearer.isEmpty()) {
            request.header("Authorization", "Bearer " + bearer);
        }
        return request.build();
    }
}
