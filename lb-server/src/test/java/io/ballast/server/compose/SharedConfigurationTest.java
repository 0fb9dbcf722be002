package io.ballast.server.compose;

import static io.ballast.server.compose.StartedBalancer.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.net.testing.FreePort;
import io.ballast.server.Main;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests versions of the configuration in a cluster of three nodes. */
class SharedConfigurationTest {

    private static final List<String> NODES = List.of("n1", "n2", "n3");

    private final NamedServers servers = new NamedServers();
    private final Map<String, StartedBalancer> nodes = new LinkedHashMap<>();
    private final Map<String, Integer> ports = new LinkedHashMap<>();

    @TempDir
    private Path directory;

    private String one = "";
    private String two = "";

    @BeforeEach
    void prepare() throws Exception {
        one = "127.0.0.1:" + servers.add("one");
        two = "127.0.0.2:" + servers.add("two", "127.0.0.2", 0);
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

    private static String site(String backend) {
        return """
            listeners: [{name: web, bind: "127.0.0.1:0", pool: web}]
            dashboard: {bind: "127.0.0.1:0"}
            pools: {web: {backends: ["%s"], health: {type: none}}}
            """.formatted(backend);
    }

    /** Returns a node's own file, whose configuration contains the first backend. */
    private String own(String node) {
        return site(one)
                + """
            data_dir: %1$s/%2$s/data
            cluster:
              name: edge
              bind: 127.0.0.1:%3$d
              peers: [%4$s]
              voters: [n1, n2, n3]
              tls: {certificate: ../%2$s.crt, key: ../%2$s.key, ca: ../ca.crt}
            """.formatted(
                                directory,
                                node,
                                ports.get(node),
                                String.join(
                                        ", ",
                                        ports.values().stream()
                                                .map(port -> "127.0.0.1:" + port)
                                                .toList()));
    }

    private StartedBalancer start(String node) throws Exception {
        return start(node, own(node));
    }

    private StartedBalancer start(String node, String text) throws Exception {
        StartedBalancer started = StartedBalancer.start(Files.createDirectories(directory.resolve(node)), text);
        nodes.put(node, started);
        return started;
    }

    private void startAll() throws Exception {
        for (String node : NODES) {
            start(node);
        }
        awaitAll();
    }

    private void awaitAll() throws Exception {
        for (StartedBalancer node : nodes.values()) {
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

    private static String cluster(StartedBalancer node) throws Exception {
        return node.request(node.dashboard(), "GET", "/api/v1/cluster").body();
    }

    private static String metrics(StartedBalancer node) throws Exception {
        return node.request(node.dashboard(), "GET", "/metrics").body();
    }

    private Path file(String name, String text) throws Exception {
        Path file = directory.resolve("source").resolve(name);
        Files.createDirectories(requireNonNull(file.getParent()));
        return Files.writeString(file, text);
    }

    private String apply(int code, String node, Path file, String... more) {
        String[] arguments = new String[3 + more.length];
        arguments[0] = "cluster";
        arguments[1] = "apply";
        arguments[2] = file.toString();
        System.arraycopy(more, 0, arguments, 3, more.length);
        return node(node).command(code, arguments);
    }

    private void awaitAnswer(String answer) throws Exception {
        for (StartedBalancer node : nodes.values()) {
            await(() -> node.answers(5).equals(Set.of(answer)));
        }
    }

    @Test
    void anAcceptedVersionIsUsedByAllNodesAndCanBeRolledBack() throws Exception {
        startAll();
        assertThat(node("n1").command(0, "cluster", "history")).contains("no version was applied");
        file("pools/web.yaml", "pools: {web: {backends: [\"%s\"], health: {type: none}}}\n".formatted(two));
        Path main = file("site.yaml", site(two).replaceFirst("pools: .*\n", "include: [pools/*.yaml]\n"));

        String applied = apply(0, "n2", main, "--note", "two instead of one");

        assertThat(applied)
                .contains(
                        "version 1 is active (2 files", "n1    version 1\n", "n2    version 1\n", "n3    version 1\n");
        awaitAnswer("two");
        for (StartedBalancer node : nodes.values()) {
            node.awaitEvent("configuration version 1 by");
            node.awaitEvent("is in use: two instead of one");
            await(() -> metrics(node).contains("ballast_cluster_configuration_version 1\n")
                    && metrics(node).contains("ballast_cluster_configuration_outdated 0\n"));
        }
        assertThat(node("n3").command(0, "cluster", "status")).containsPattern("(?m)^n1 .* version 1$");

        file("pools/web.yaml", "pools: {web: {backends: [\"%s\"], health: {type: none}}}\n".formatted(one));
        apply(0, "n3", main);
        awaitAnswer("one");
        assertThat(node("n1").command(0, "cluster", "diff")).isEqualTo("""
                    --- version-1/pools/web.yaml
                    +++ version-2/pools/web.yaml
                    @@ -1,1 +1,1 @@
                    -pools: {web: {backends: ["%s"], health: {type: none}}}
                    +pools: {web: {backends: ["%s"], health: {type: none}}}
                    """.formatted(two, one));

        assertThat(node("n1").command(0, "cluster", "rollback")).contains("version 3 is active");
        awaitAnswer("two");
        assertThat(node("n2").command(0, "cluster", "history"))
                .containsPattern("(?m)^1 +superseded .*two instead of one$")
                .containsPattern("(?m)^2 +superseded ")
                .containsPattern("(?m)^3 +active .*content of version 1$");
        assertThat(node("n2").command(0, "cluster", "diff", "1", "3")).isEmpty();
        assertThat(node("n2").command(2, "cluster", "rollback", "9")).contains("version: 9");
    }

    /**
     * The directory of the static files exists on only two of the three nodes, so the third one refuses the version.
     */
    @Test
    void aVersionThatOneNodeRefusesChangesNothing() throws Exception {
        startAll();
        Files.createDirectories(directory.resolve("n1/www"));
        Files.createDirectories(directory.resolve("n2/www"));
        Path main = file(
                "site.yaml",
                site(two).replace("pool: web}]", "routes: [{match: {path: /static}, files: www}, {pool: web}]}]"));

        String refused = apply(1, "n1", main);

        assertThat(refused)
                .contains("lb: version 1 is rejected; no node has changed its configuration")
                .contains("n3: site.yaml: listeners[0].routes[0].files.root: " + directory.resolve("n3/www")
                        + " is not a directory")
                .doesNotContain("n1:", "n2:");
        for (StartedBalancer node : nodes.values()) {
            node.awaitEvent("rejected: n3: site.yaml");
            assertThat(node.answers(5)).containsOnly("one");
            assertThat(cluster(node)).contains("\"configuration\":{\"active\":0,\"outdated\":false,\"failures\":0}");
        }
        assertThat(node("n2").command(0, "cluster", "history")).containsPattern("(?m)^1 +rejected .*n3: site.yaml");

        assertThat(apply(1, "n2", file("site.yaml", site(two) + "grace: soon\n")))
                .contains("n1: site.yaml:4:8: grace: 'soon' (expected: a duration")
                .contains("n2: site.yaml:4:8:", "n3: site.yaml:4:8:");

        Files.createDirectories(directory.resolve("n3/www"));
        apply(0, "n1", file("site.yaml", site(two)));
        awaitAnswer("two");
        assertThat(node("n1").command(0, "cluster", "history")).containsPattern("(?m)^3 +active ");
    }

    @Test
    void aNodeThatWasAwayTakesTheVersionAndServesItAfterARestartWithoutPeers() throws Exception {
        startAll();
        stop("n3");
        await(() -> cluster(node("n1")).contains("\"missing_voters\":[\"n3\"]"));
        apply(0, "n1", file("site.yaml", site(two)));
        awaitAnswer("two");

        StartedBalancer third = start("n3");
        await(() -> third.answers(5).equals(Set.of("two")));
        third.awaitEvent("configuration version 1 by");
        NODES.forEach(this::stop);

        StartedBalancer alone = start("n3");

        assertThat(alone.answers(5)).containsOnly("two");
        assertThat(alone.command(0, "reload"))
                .contains("provides only cluster and data_dir: version 1 of the cluster is in use");
    }

    @Test
    void withoutAMajorityNoVersionIsApplied() throws Exception {
        startAll();
        stop("n2");
        stop("n3");
        await(() -> cluster(node("n1")).contains("\"has_majority\":false"));

        assertThat(apply(1, "n1", file("site.yaml", site(two)))).contains("no majority of the voters is connected");

        assertThat(node("n1").answers(5)).containsOnly("one");
        assertThat(cluster(node("n1"))).contains("\"pending\":[]");
    }

    @Test
    void keysOfASingleNodeAndANodeWithALocalConfiguration() throws Exception {
        start("n1");
        start("n2");
        start("n3", own("n3").replace("name: edge", "name: edge\n  configuration: local"));
        awaitAll();
        Path main = file("site.yaml", site(two) + """
            nodes:
              n2: {pools: {web: {backends: ["%s"]}}}
              n9: {grace: 5s}
            """.formatted(one));

        assertThat(apply(0, "n1", main)).contains("n1    version 1\n", "n2    version 1\n", "n3    own file (local)\n");

        await(() -> node("n1").answers(5).equals(Set.of("two")));
        assertThat(node("n2").answers(5)).containsOnly("one");
        assertThat(node("n3").answers(5)).containsOnly("one");
        assertThat(metrics(node("n3"))).contains("ballast_cluster_configuration_outdated 0\n");
        assertThat(node("n2")
                        .command(
                                1,
                                "cluster",
                                "apply",
                                file("site.yaml", site(two) + """
            nodes: {n2: {grace: soon}}
            """).toString()))
                .contains("n2: site.yaml:4:21: nodes.n2.grace: 'soon'")
                .doesNotContain("n1: ");
    }

    /** The third node does not answer, so the first proposal stays pending until its timeout expires. */
    @Test
    void aSecondProposalIsRefusedAndANodeWithoutAnswerIsNamed() throws Exception {
        start("n1");
        start("n2");
        nodes.put(
                "n3", StartedBalancer.startWithoutSharing(Files.createDirectories(directory.resolve("n3")), own("n3")));
        awaitAll();
        Path main = file("site.yaml", site(two));
        CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> apply(1, "n1", main, "--wait", "5s"));
        await(() -> node("n2").command(0, "cluster", "history").contains("checking"));

        assertThat(apply(2, "n2", main)).contains("version 1 of").contains("is being applied by n1");

        assertThat(first.get()).contains("n3: no answer within 5s").doesNotContain("n1: ", "n2: ");
        assertThat(node("n1").answers(5)).containsOnly("one");
    }

    @Test
    void filesThatAreTooLargeOrElsewhereAreNotSent() throws Exception {
        startAll();
        file("large.zone", "; comment\n".repeat(900_000));
        Path main = file("site.yaml", site(two) + """
            dns: {listeners: [{bind: "127.0.0.1:0"}], zones: [{name: example.org, file: large.zone}]}
            """);
        assertThat(apply(2, "n1", main))
                .contains("large.zone: the files of the configuration are too large (expected: at most 8388608 bytes")
                .doesNotContain("site.yaml: the files");

        file("../elsewhere.yaml", "pools: {}\n");
        assertThat(apply(2, "n1", file("site.yaml", site(two) + "include: [../elsewhere.yaml]\n")))
                .contains("elsewhere.yaml is not below the directory of the main file");

        assertThat(node("n1")
                        .request(
                                node("n1").dashboard(),
                                "POST",
                                "/api/v1/cluster/configuration?upload=" + "0".repeat(64))
                        .body())
                .contains("expected: a configuration that was sent to this node shortly before");
        assertThat(node("n1").command(0, "cluster", "history")).contains("no version was applied");
    }

    /** The version passes the check, but another process already uses its listen address on one node. */
    @Test
    void aVersionThatCannotBeUsedLeavesTheOneInUse() throws Exception {
        startAll();
        apply(0, "n1", file("site.yaml", site(two)));
        awaitAnswer("two");
        int port = servers.add("other", "127.0.0.3", 0);
        Path main = file(
                "site.yaml",
                site(one) + "nodes: {n2: {listeners: [{name: web, bind: \"127.0.0.1:0\", pool: web},"
                        + " {name: taken, bind: \"127.0.0.3:" + port + "\", pool: web}]}}\n");

        String applied = apply(3, "n1", main);

        assertThat(applied).containsPattern("n2 +version 1; version 2 not applied: .*127.0.0.3:" + port);
        node("n2").awaitEvent("version 2 not applied: ");
        assertThat(node("n2").answers(5)).containsOnly("two");
        assertThat(node("n1").answers(5)).containsOnly("one");
        assertThat(metrics(node("n2")))
                .contains(
                        "ballast_cluster_configuration_outdated 1\n",
                        "ballast_cluster_configuration_failures_total 1\n",
                        "ballast_cluster_configuration_version 1\n");
        node("n1").command(0, "cluster", "rollback");
        awaitAnswer("two");
    }
}
