package io.ballast.server.compose;

import static io.ballast.server.compose.StartedBalancer.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.cli.api.DashboardOptions;
import io.ballast.net.testing.FreePort;
import io.ballast.server.Main;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests three nodes of a cluster, each with the same two backends. */
class ClusterTest {

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

    private String config(String node) {
        return """
            listeners: [{name: web, bind: "127.0.0.1:0", pool: web}]
            dashboard: {bind: "127.0.0.1:0"}
            data_dir: %1$s/%2$s
            cluster:
              name: edge
              bind: 127.0.0.1:%3$d
              peers: [%4$s]
              voters: [n1, n2, n3]
              tls: {certificate: %1$s/%2$s.crt, key: %1$s/%2$s.key, ca: %1$s/ca.crt}
            pools:
              web: {backends: ["%5$s", "%6$s"], health: {type: none}}
            """.formatted(
                directory,
                node,
                ports.get(node),
                String.join(
                        ", ",
                        ports.values().stream().map(port -> "127.0.0.1:" + port).toList()),
                one,
                two);
    }

    private String cachingConfig(String node) {
        return config(node).replace("pool: web}]", "pool: web, policies: [pages]}]\npolicies: {pages: {cache: {}}}");
    }

    private StartedBalancer start(String node) throws Exception {
        return start(node, config(node));
    }

    private StartedBalancer start(String node, String config) throws Exception {
        Path own = Files.createDirectories(directory.resolve(node));
        StartedBalancer started = StartedBalancer.start(own, config);
        nodes.put(node, started);
        return started;
    }

    private void startAll() throws Exception {
        for (String node : NODES) {
            start(node);
        }
        for (StartedBalancer node : nodes.values()) {
            await(() -> cluster(node).contains("\"has_majority\":true")
                    && cluster(node).contains("\"missing_voters\":[]"));
        }
    }

    private void stop(String node) {
        requireNonNull(nodes.remove(node)).close();
    }

    private static String cluster(StartedBalancer node) throws Exception {
        return node.request(node.dashboard(), "GET", "/api/v1/cluster").body();
    }

    /** Makes a change, and waits until the cluster has committed it, however long this takes on a busy machine. */
    private static void commit(@Nullable StartedBalancer node, String... arguments) throws Exception {
        StartedBalancer started = requireNonNull(node);
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--api", started.dashboard().toString()));
        assertThat(Main.commandLine().execute(all.toArray(String[]::new))).isIn(0, DashboardOptions.PENDING);
        await(() -> cluster(started).contains("\"pending\":[]"));
    }

    private static String metrics(StartedBalancer node) throws Exception {
        return node.request(node.dashboard(), "GET", "/metrics").body();
    }

    private static void awaitAnswers(StartedBalancer node, String... names) throws Exception {
        await(() -> node.answers(10).equals(Set.of(names)));
    }

    @Test
    void anOverrideAppliesToAllNodes() throws Exception {
        startAll();

        commit(nodes.get("n1"), "backends", "drain", "web", one, "--why", "kernel");

        for (StartedBalancer node : nodes.values()) {
            awaitAnswers(node, "two");
            node.awaitEvent("draining: override by");
        }
        commit(nodes.get("n2"), "backends", "enable", "web", one);
        for (StartedBalancer node : nodes.values()) {
            awaitAnswers(node, "one", "two");
        }
        commit(nodes.get("n3"), "backends", "weight", "web", two, "0");
        for (StartedBalancer node : nodes.values()) {
            awaitAnswers(node, "one");
        }
    }

    @Test
    void maintenanceOfAPoolAppliesToAllNodes() throws Exception {
        startAll();
        commit(nodes.get("n1"), "pools", "maintenance", "web", "on");
        for (StartedBalancer node : nodes.values()) {
            await(() -> node.get("/").statusCode() == 503);
        }
        commit(nodes.get("n2"), "pools", "maintenance", "web", "off");
        for (StartedBalancer node : nodes.values()) {
            await(() -> node.get("/").statusCode() == 200);
        }
    }

    @Test
    void aNodeThatWasAwayGetsWhatItMissed() throws Exception {
        startAll();
        commit(nodes.get("n1"), "backends", "drain", "web", two);
        awaitAnswers(requireNonNull(nodes.get("n3")), "one");
        stop("n3");
        commit(nodes.get("n1"), "backends", "enable", "web", two);
        commit(nodes.get("n1"), "backends", "drain", "web", one);

        awaitAnswers(start("n3"), "two");
    }

    @Test
    void aNodeAloneServesWithTheLastOverridesAndKeepsPendingOnes() throws Exception {
        startAll();
        commit(nodes.get("n1"), "backends", "weight", "web", one, "0");
        awaitAnswers(requireNonNull(nodes.get("n3")), "two");
        stop("n1");
        stop("n2");
        stop("n3");

        StartedBalancer alone = start("n3");
        assertThat(alone.answers(10)).containsOnly("two");
        assertThat(alone.command(3, "backends", "weight", "web", one, "file")).contains("pending");
        assertThat(alone.answers(10)).containsOnly("one", "two");
        assertThat(alone.command(3, "cluster", "status"))
                .contains("no majority, changes stay pending", "voters that are not connected: n1, n2")
                .containsPattern("pending since [0-9-]+T[0-9:]+Z: override/weight/web/" + one);
        assertThat(alone.command(0, "status"))
                .contains("Cluster edge, node n3: no majority of the voters, voters that are not connected: n1, n2,"
                        + " 1 change is pending\n");
        assertThat(alone.command(0, "status", "--output", "json")).contains("\"missing_voters\":[\"n1\",\"n2\"]");
        assertThat(alone.stats()).contains("\"leader\":null,\"has_majority\":false,\"voters\":3");
        assertThat(metrics(alone))
                .contains("ballast_cluster_has_majority 0\n", "ballast_cluster_pending_changes 1\n")
                .containsPattern("ballast_cluster_pending_age_seconds [0-9.]*[1-9]");

        start("n1");
        awaitAnswers(requireNonNull(nodes.get("n1")), "one", "two");
        await(() -> cluster(alone).contains("\"pending\":[]"));
        assertThat(alone.command(0, "cluster", "status")).contains("voters that are not connected: n2");
    }

    @Test
    void statisticsOfAllNodesAreSummed() throws Exception {
        startAll();
        StartedBalancer first = requireNonNull(nodes.get("n1"));
        for (StartedBalancer node : nodes.values()) {
            assertThat(node.get("/").statusCode()).isEqualTo(200);
        }

        await(() -> sums(first).contains("\"missing\":[],\"pools\":[{\"name\":\"web\",\"total_req_count\":3,"));
        assertThat(first.command(0, "status", "--cluster"))
                .containsPattern("n2 +1 +0 ")
                .containsPattern("web +3 +0 .*ms");

        stop("n3");
        await(() -> sums(first).contains("\"missing\":[\"n3\"]"));
        assertThat(first.command(3, "status", "--cluster")).contains("not connected or send no counters: n3");
    }

    private static String sums(StartedBalancer node) throws Exception {
        return node.request(node.dashboard(), "GET", "/stats?scope=cluster").body();
    }

    @Test
    void aForgottenNodeIsNotMissingAndMayReturn() throws Exception {
        startAll();
        StartedBalancer first = requireNonNull(nodes.get("n1"));
        assertThat(first.command(2, "cluster", "forget", "n3")).contains("node n3 is connected");
        assertThat(first.command(2, "cluster", "forget", "n1")).contains("node n1 is this node");
        assertThat(first.command(2, "cluster", "forget", "n4")).contains("there is no node n4");
        stop("n3");
        await(() -> cluster(first).contains("\"missing_voters\":[\"n3\"]"));

        commit(first, "cluster", "forget", "n3");

        await(() -> cluster(first).contains("\"voters\":[\"n1\",\"n2\"],\"missing_voters\":[]"));
        await(() -> cluster(requireNonNull(nodes.get("n2"))).contains("\"missing_voters\":[]"));
        first.awaitEvent("forgotten: it will not return");
        commit(first, "backends", "drain", "web", one);

        StartedBalancer again = start("n3");
        awaitAnswers(again, "two");
        await(() -> cluster(first).contains("\"voters\":[\"n1\",\"n2\",\"n3\"],\"missing_voters\":[]"));
        assertThat(first.command(0, "cluster", "status")).contains(" d");
        assertThat(metrics(first)).contains("ballast_cluster_certificate_expiry_seconds{node=\"n1\"} ");
    }

    @Test
    void aPendingOverrideIsRejectedIfTheClusterDecidedOtherwise() throws Exception {
        startAll();
        stop("n1");
        stop("n2");
        StartedBalancer alone = requireNonNull(nodes.get("n3"));
        await(() -> cluster(alone).contains("\"has_majority\":false"));
        alone.command(3, "backends", "drain", "web", one);
        assertThat(alone.answers(10)).containsOnly("two");
        stop("n3");

        start("n1");
        start("n2");
        StartedBalancer first = requireNonNull(nodes.get("n1"));
        await(() -> cluster(first).contains("\"has_majority\":true"));
        commit(first, "backends", "up", "web", one);

        StartedBalancer again = start("n3");
        awaitAnswers(again, "one", "two");
        again.awaitEvent("the cluster rejected a change of this node");
        assertThat(metrics(again)).contains("ballast_cluster_rejected_changes_total 1\n");
    }

    @Test
    void overridesOfANewMemberBecomeThoseOfTheCluster() throws Exception {
        StartedBalancer first = StartedBalancer.start(
                Files.createDirectories(directory.resolve("n1")),
                config("n1").replaceAll("(?m)^cluster:\\R(  .*\\R)*", ""));
        first.command(0, "backends", "drain", "web", one);
        first.close();

        startAll();
        for (StartedBalancer node : nodes.values()) {
            awaitAnswers(node, "two");
        }
    }

    @Test
    void anOverrideWithoutBackendTakesEffectWhenTheBackendAppears() throws Exception {
        startAll();
        StartedBalancer third = requireNonNull(nodes.get("n3"));
        String without = config("n3").replace("\"" + one + "\", ", "");
        third.reload(without);
        commit(nodes.get("n1"), "backends", "drain", "web", one);
        awaitAnswers(requireNonNull(nodes.get("n2")), "two");
        await(() -> cluster(third).contains("\"facts\":1"));

        third.reload(config("n3"));
        awaitAnswers(third, "two");
        assertThat(cluster(third)).contains("\"facts\":1");
    }

    @Test
    void anOverrideOfAnExternalSourceAppliesToAllNodes() throws Exception {
        startAll();
        commit(nodes.get("n1"), "overrides", "set", "web", one, "--state", "down", "--source", "probe", "--why", "lag");
        for (StartedBalancer node : nodes.values()) {
            awaitAnswers(node, "two");
            node.awaitEvent("override by probe: lag");
        }
        commit(nodes.get("n2"), "overrides", "set", "web", one, "--state", "up", "--source", "probe");
        for (StartedBalancer node : nodes.values()) {
            awaitAnswers(node, "one", "two");
        }
        commit(nodes.get("n2"), "overrides", "set", "web", one, "--weight", "0", "--source", "other", "--for", "4s");
        for (StartedBalancer node : nodes.values()) {
            node.awaitEvent("override to weight 0 by other ended: it has expired");
            awaitAnswers(node, "one", "two");
        }

        stop("n1");
        stop("n2");
        StartedBalancer alone = requireNonNull(nodes.get("n3"));
        await(() -> cluster(alone).contains("\"has_majority\":false"));
        assertThat(alone.command(3, "overrides", "set", "web", two, "--state", "drain", "--source", "probe"))
                .contains("pending");
        assertThat(alone.answers(10)).containsOnly("one");
        start("n1");
        awaitAnswers(requireNonNull(nodes.get("n1")), "one");
        await(() -> cluster(alone).contains("\"pending\":[]"));
    }

    @Test
    void aBackendThatIsAddedOnOneNodeIsAddedOnAll() throws Exception {
        startAll();
        String three = "127.0.0.3:" + servers.add("three", "127.0.0.3", 0);
        commit(nodes.get("n1"), "backends", "add", "web", three);
        commit(nodes.get("n1"), "backends", "remove", "web", one);
        for (StartedBalancer node : nodes.values()) {
            awaitAnswers(node, "two", "three");
        }
        stop("n3");
        commit(nodes.get("n2"), "backends", "reset", "web", one);
        commit(nodes.get("n2"), "backends", "remove", "web", two);

        StartedBalancer again = start("n3");
        awaitAnswers(again, "one", "three");
        commit(again, "backends", "reset", "web", two);
        commit(again, "backends", "reset", "web", three);
        for (StartedBalancer node : nodes.values()) {
            awaitAnswers(node, "one", "two");
        }
        assertThat(cluster(again)).contains("\"facts\":0", "\"rejected_changes\":0");
    }

    @Test
    void aRemovalFromACacheIsExecutedOnceByEachNode() throws Exception {
        for (String node : NODES) {
            start(node, cachingConfig(node));
        }
        StartedBalancer first = requireNonNull(nodes.get("n1"));
        await(() -> cluster(first).contains("\"missing_voters\":[]")
                && cluster(first).contains("\"has_majority\":true"));
        stop("n3");
        commit(first, "cache", "purge", "--all");

        requireNonNull(nodes.get("n2")).awaitEvent("0 entries removed here");
        StartedBalancer again = start("n3", cachingConfig("n3"));
        again.awaitEvent("0 entries removed here");
        assertThat(first.texts()).noneMatch(text -> text.contains("entries removed here"));
        assertThat(cluster(first)).contains("\"facts\":1");
    }

    @Test
    void aCookieOfOneNodeIsAcceptedByTheOthers() throws Exception {
        for (String node : NODES) {
            start(node, secretConfig(node));
        }
        StartedBalancer first = requireNonNull(nodes.get("n1"));
        StartedBalancer third = requireNonNull(nodes.get("n3"));
        await(() -> cluster(first).contains("\"facts\":4") && cluster(third).contains("\"facts\":4"));
        await(() -> isAccepted(cookie(first), third) && isAccepted(cookie(third), first));
        assertThat(cluster(first)).contains("\"rejected_changes\":0");

        String before = cookie(first);
        stop("n2");
        stop("n3");
        StartedBalancer again = start("n3", secretConfig("n3"));
        await(() -> isAccepted(before, again));
    }

    private String secretConfig(String node) {
        return config(node)
                .replace("  tls: {", "  secret_key: " + "ab".repeat(32) + "\n  tls: {")
                .replace("health: {type: none}", "health: {type: none}, strategy: {type: sticky}");
    }

    private static String cookie(StartedBalancer node) throws Exception {
        return node.get("/").headers().firstValue("Set-Cookie").orElseThrow().replaceAll(";.*", "");
    }

    /** Whether a node accepts a cookie. In this case, its response contains no new cookie. */
    private static boolean isAccepted(String cookie, StartedBalancer node) throws Exception {
        return node.get("/", "Cookie", cookie)
                .headers()
                .firstValue("Set-Cookie")
                .isEmpty();
    }

    @Test
    void nodesAndLeadersAreInTheTimeline() throws Exception {
        startAll();
        StartedBalancer first = requireNonNull(nodes.get("n1"));
        first.awaitEvent("n2 node connected");
        first.awaitEvent("n3 node connected");
        first.awaitEvent("leads the cluster");
        String leader = first.command(0, "cluster", "status").replaceAll("(?s).*: leader (n\\d).*", "$1");
        assertThat(metrics(requireNonNull(nodes.get(leader))))
                .contains("ballast_cluster_nodes 3\n", "ballast_cluster_leader 1\n");

        stop("n2");
        stop("n3");
        first.awaitEvent("n2 node no longer connected");
        first.awaitEvent("edge no leader: changes cannot be committed");
        assertThat(first.request(first.dashboard(), "GET", "/api/v1/events?origin=cluster")
                        .body())
                .contains("\"subject\":\"n3\",\"text\":\"node no longer connected\"");
    }

    /** The checks of n1 connect to a port where nothing listens. */
    @Test
    void aMajorityKeepsBackendsUpThatOneNodeDoesNotReach() throws Exception {
        int open = Integer.parseInt(one.substring(one.indexOf(':') + 1));
        int closed = FreePort.find();
        for (String node : NODES) {
            start(
                    node,
                    config(node)
                            .replace(
                                    "health: {type: none}",
                                    "health: {type: tcp, address: 127.0.0.1, port: %d, interval: 200ms, quorum: majority}"
                                            .formatted(node.equals("n1") ? closed : open)));
        }
        StartedBalancer first = requireNonNull(nodes.get("n1"));

        awaitAnswers(first, "one", "two");
        await(() -> metrics(first).contains("ballast_cluster_overruled_backends 2\n"));
        await(() -> metrics(first).contains("ballast_cluster_other_votes 4\n"));
        first.awaitEvent(
                "the checks of this node are overruled (down: connection refused), quorum majority: votes for up:");
        assertThat(first.command(0, "explain", "backend", "web/" + one))
                .contains("web/" + one + ": up, takes traffic; decided by votes")
                .containsPattern("\\*  votes +up +votes for up: 2 of 3, needed: 2")
                .containsPattern("checks +down +connection refused")
                .containsPattern("n1 \\(this node\\) +down +connection refused")
                .containsPattern("n2 +up +connected");

        stop("n2");
        stop("n3");
        await(() -> first.get("/").statusCode() == 503);
        assertThat(metrics(first))
                .contains("ballast_cluster_overruled_backends 0\n", "ballast_cluster_other_votes 0\n");
    }

    @Test
    void aVoterNeedsNoListener() throws Exception {
        start("n1");
        String text = config("n3");
        nodes.put(
                "n3",
                StartedBalancer.start(
                        Files.createDirectories(directory.resolve("n3")),
                        text.substring(text.indexOf("dashboard:"), text.indexOf("pools:"))));
        start("n2");
        for (StartedBalancer node : nodes.values()) {
            await(() -> cluster(node).contains("\"has_majority\":true")
                    && cluster(node).contains("\"missing_voters\":[]"));
        }
        commit(nodes.get("n1"), "backends", "weight", "web", two, "2");
        stop("n2");
        await(() -> cluster(requireNonNull(nodes.get("n1"))).contains("\"has_majority\":true"));

        commit(nodes.get("n1"), "backends", "drain", "web", one);

        awaitAnswers(requireNonNull(nodes.get("n1")), "two");
    }

    @Test
    void withoutClusterThereIsNoClusterApi() throws Exception {
        StartedBalancer single = StartedBalancer.start(
                Files.createDirectories(directory.resolve("n1")),
                config("n1").replaceAll("(?m)^cluster:\\R(  .*\\R)*", ""));
        nodes.put("n1", single);
        assertThat(single.request(single.dashboard(), "GET", "/api/v1/cluster").statusCode())
                .isEqualTo(404);
        assertThat(single.command(2, "cluster", "status")).contains("this process is not in a cluster");
    }
}
