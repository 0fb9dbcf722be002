package io.ballast.server.compose;

import static io.ballast.server.compose.StartedBalancer.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.agent.registry.Hashes;
import io.ballast.cli.api.DashboardOptions;
import io.ballast.net.testing.FreePort;
import io.ballast.server.Main;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests three nodes of a cluster, to which agents report. */
class AgentClusterTest {

    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final String TOKEN = "token of rack 1";
    private static final String SECRET = "secret of a1";

    private final NamedServers servers = new NamedServers();
    private final Map<String, StartedBalancer> nodes = new LinkedHashMap<>();
    private final Map<String, Integer> ports = new LinkedHashMap<>();
    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    private String one = "";

    @BeforeEach
    void prepare() throws Exception {
        one = "127.0.0.1:" + servers.add("one");
        String files = directory.toString();
        assertThat(Main.commandLine().execute("cluster", "init", "edge", "--directory", files))
                .isZero();
        for (String node : NODES) {
            ports.put(node, FreePort.find());
            assertThat(Main.commandLine().execute("cluster", "cert", node, "--directory", files))
                    .isZero();
        }
    }

    @AfterEach
    void close() {
        nodes.values().forEach(StartedBalancer::close);
        servers.close();
    }

    private void start(String node, String approve) throws Exception {
        String config = """
            listeners: [{name: web, bind: "127.0.0.1:0", pool: web}]
            dashboard: {bind: "127.0.0.1:0"}
            data_dir: %1$s/%2$s
            cluster:
              name: edge
              bind: 127.0.0.1:%3$d
              peers: [%4$s]
              voters: [n1, n2, n3]
              tls: {certificate: %1$s/%2$s.crt, key: %1$s/%2$s.key, ca: %1$s/ca.crt}
            agents: {bind: "127.0.0.1:0"}
            pools:
              web:
                agents: {tokens: [{name: rack1, hash: "sha256:%5$s"}], approve: %6$s}
                health: {type: none}
            """.formatted(
                directory,
                node,
                ports.get(node),
                String.join(
                        ", ",
                        ports.values().stream().map(port -> "127.0.0.1:" + port).toList()),
                Hashes.sha256(TOKEN),
                approve);
        nodes.put(node, StartedBalancer.start(Files.createDirectories(directory.resolve(node)), config));
    }

    private void startAll(String approve) throws Exception {
        for (String node : NODES) {
            start(node, approve);
        }
        for (String node : NODES) {
            await(() -> cluster(node).contains("\"has_majority\":true")
                    && cluster(node).contains("\"missing_voters\":[]"));
        }
    }

    private StartedBalancer node(String name) {
        return requireNonNull(nodes.get(name));
    }

    private void stop(String node) {
        requireNonNull(nodes.remove(node)).close();
    }

    private String cluster(String node) throws Exception {
        return node(node)
                .request(node(node).dashboard(), "GET", "/api/v1/cluster")
                .body();
    }

    /** Runs a command, and waits until the cluster has committed its change. */
    private String commit(String node, String... arguments) throws Exception {
        String output = node(node).command(0, arguments);
        await(() -> cluster(node).contains("\"pending\":[]"));
        return output;
    }

    private HttpResponse<String> send(String node, String method, String path, String bearer, String body)
            throws Exception {
        int port = node(node).balancer().agentsAddress().orElseThrow().getPort();
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/agents/v1" + path))
                        .method(method, BodyPublishers.ofString(body))
                        .header("Authorization", "Bearer " + bearer)
                        .header("Content-Type", "application/json")
                        .build(),
                BodyHandlers.ofString());
    }

    private int register(String node, String agent, String token) throws Exception {
        return send(node, "PUT", "/" + agent, token, "{\"secret_sha256\": \"" + Hashes.sha256(SECRET) + "\"}")
                .statusCode();
    }

    private HttpResponse<String> report(String node, String agent) throws Exception {
        return send(
                node,
                "PUT",
                "/" + agent + "/backends",
                SECRET,
                "{\"backends\": [{\"pool\": \"web\", \"address\": \"" + one + "\", \"state\": \"up\"}]}");
    }

    private void awaitAccepted(String node, String agent) throws Exception {
        await(() -> report(node, agent).body().contains("\"accepted\":true"));
        await(() -> node(node).get("/").body().equals("one"));
    }

    @Test
    void aRevokedAgentLosesItsBackendsOnAllNodes() throws Exception {
        startAll("auto");
        assertThat(register("n1", "a1", TOKEN)).isEqualTo(200);
        for (String node : NODES) {
            awaitAccepted(node, "a1"); // the agent has registered at n1 only
        }

        long start = System.nanoTime();
        assertThat(node("n3").command(0, "agents", "revoke", "a1")).contains("a1: revoked");
        for (String node : NODES) {
            await(() -> node(node).get("/").statusCode() == 503);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
        for (String node : NODES) {
            assertThat(report(node, "a1").statusCode()).isEqualTo(403);
            assertThat(register(node, "a1", TOKEN)).isEqualTo(403);
        }
        node("n1").awaitEvent("revoked on another node");
    }

    @Test
    void anAgentThatIsApprovedOnOneNodeIsAcceptedOnAll() throws Exception {
        startAll("manual");
        assertThat(register("n1", "a1", TOKEN)).isEqualTo(200);
        for (String node : NODES) {
            await(() -> report(node, "a1").body().contains("lb agents approve a1"));
        }

        commit("n2", "agents", "approve", "a1");

        for (String node : NODES) {
            awaitAccepted(node, "a1");
        }
    }

    @Test
    void aNewSecretIsValidOnAllNodes() throws Exception {
        startAll("auto");
        assertThat(send("n1", "PUT", "/a1", TOKEN, "{\"secret_sha256\": \"" + Hashes.sha256("old") + "\"}")
                        .statusCode())
                .isEqualTo(200);
        await(() ->
                send("n2", "PUT", "/a1/backends", "old", "{\"backends\": []}").statusCode() == 200);

        assertThat(send("n2", "PUT", "/a1/secret", "old", "{\"secret_sha256\": \"" + Hashes.sha256(SECRET) + "\"}")
                        .statusCode())
                .isEqualTo(200);

        for (String node : NODES) {
            awaitAccepted(node, "a1");
            assertThat(send(node, "PUT", "/a1/backends", "old", "{\"backends\": []}")
                            .statusCode())
                    .isIn(401, 429);
        }
    }

    @Test
    void aTokenThatIsCreatedOrRevokedOnOneNodeIsSoOnAll() throws Exception {
        startAll("auto");
        String created = commit("n1", "tokens", "create", "rack2", "--pool", "web")
                .lines()
                .findFirst()
                .orElseThrow();
        String token = created.substring(created.lastIndexOf(' ') + 1);
        await(() -> node("n2").command(0, "tokens").contains("rack2"));
        assertThat(register("n2", "a1", token)).isEqualTo(200);
        awaitAccepted("n3", "a1");

        assertThat(commit("n3", "tokens", "revoke", "rack2")).contains("rack2: revoked");
        commit("n3", "tokens", "revoke", "rack1");

        await(() -> node("n1")
                        .command(0, "tokens")
                        .lines()
                        .filter(line -> line.contains("revoked"))
                        .count()
                == 2);
        assertThat(register("n1", "a2", token)).isEqualTo(401);
        assertThat(register("n1", "a2", TOKEN)).isIn(401, 429);
        awaitAccepted("n1", "a1"); // the registered agent stays valid
    }

    @Test
    void withoutAMajorityChangesApplyToOneNodeAndFollowLater() throws Exception {
        startAll("auto");
        assertThat(register("n3", "a1", TOKEN)).isEqualTo(200);
        awaitAccepted("n1", "a1");
        stop("n1");
        stop("n2");
        await(() -> cluster("n3").contains("\"has_majority\":false"));

        assertThat(node("n3").command(DashboardOptions.PENDING, "agents", "revoke", "a1"))
                .contains("a1: revoked (not committed)", "pending: applied by this node only");
        assertThat(report("n3", "a1").statusCode()).isEqualTo(403);
        assertThat(register("n3", "a2", TOKEN)).isEqualTo(200);
        awaitAccepted("n3", "a2");
        assertThat(node("n3").command(0, "agents"))
                .containsPattern("a1 +revoked \\(not committed\\)")
                .containsPattern("a2 +approved \\(not committed\\)");
        assertThat(cluster("n3")).contains("\"subject\":\"agent/a1\"").doesNotContain("agent/a2");

        stop("n3");
        start("n3", "auto");
        assertThat(report("n3", "a1").statusCode()).isEqualTo(403);
        awaitAccepted("n3", "a2"); // a2 has not registered again

        start("n1", "auto");
        awaitAccepted("n1", "a2");
        assertThat(report("n1", "a1").statusCode()).isEqualTo(403);
        await(() -> !node("n3").command(0, "agents").contains("not committed"));
    }

    @Test
    void agentsOfASingleNodeBecomeThoseOfItsCluster() throws Exception {
        Path own = Files.createDirectories(directory.resolve("n1"));
        try (StartedBalancer single = StartedBalancer.start(own, """
            listeners: [{name: web, bind: "127.0.0.1:0", pool: web}]
            dashboard: {bind: "127.0.0.1:0"}
            data_dir: %s/n1
            agents: {bind: "127.0.0.1:0"}
            pools: {web: {agents: {tokens: [{name: rack1, hash: "sha256:%s"}]}, health: {type: none}}}
            """.formatted(directory, Hashes.sha256(TOKEN)))) {
            nodes.put("n1", single);
            assertThat(register("n1", "a1", TOKEN)).isEqualTo(200);
            assertThat(register("n1", "a2", TOKEN)).isEqualTo(200);
            single.command(0, "agents", "revoke", "a2");
            nodes.clear();
        }

        startAll("auto");

        awaitAccepted("n2", "a1");
        await(() -> report("n3", "a2").statusCode() == 403);
    }
}
