package io.ballast.server.compose;

import static io.ballast.server.compose.StartedBalancer.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ReloadReport;
import io.ballast.net.testing.FreePort;
import io.ballast.server.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNSKEYRecord;
import org.xbill.DNS.DNSSEC;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.RRset;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;
import picocli.CommandLine;

/** Tests three nodes of a cluster that sign the same zone. */
class KeyClusterTest {

    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final Name ZONE = Name.fromConstantString("example.org.");
    private static final Name SERVICE = Name.fromConstantString("www.example.org.");
    private static final int KEY_TTL_SECONDS = 2;

    private final Map<String, StartedBalancer> nodes = new LinkedHashMap<>();
    private final Map<String, Integer> ports = new LinkedHashMap<>();
    /** The key sets that a resolver may have in its cache, the oldest first. */
    private final Deque<CachedKeys> cached = new ArrayDeque<>();

    @TempDir
    private Path directory;

    private record CachedKeys(String node, long until, List<DNSKEYRecord> keys) {}

    @BeforeEach
    void prepare() throws Exception {
        Files.writeString(
                directory.resolve("zone"),
                "$TTL 2\n@ SOA ns1.example.net. host.example.net. 1 60 60 600 2\n@ NS ns1.example.net.\n");
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
    }

    private String config(String node) {
        return """
            dashboard: {bind: "127.0.0.1:0"}
            data_dir: %1$s/%2$s
            dns:
              listeners: [{bind: "127.0.0.1:0"}]
              zones:
                - name: example.org
                  file: %1$s/zone
                  dnssec: {key_ttl: %5$ds, parent_ds_ttl: 1s, max_ttl: 2s}
                  services: [{name: www, pool: web, ttl: 2s}]
            cluster:
              name: edge
              bind: 127.0.0.1:%3$d
              peers: [%4$s]
              voters: [n1, n2, n3]
              secret_key: %6$s
              tls: {certificate: %1$s/%2$s.crt, key: %1$s/%2$s.key, ca: %1$s/ca.crt}
            pools:
              web: {backends: ["192.0.2.1:80"], health: {type: none}}
            """.formatted(
                directory,
                node,
                ports.get(node),
                String.join(
                        ", ",
                        ports.values().stream().map(port -> "127.0.0.1:" + port).toList()),
                KEY_TTL_SECONDS,
                "ab".repeat(32));
    }

    private String alone(String node) {
        return config(node).replaceAll("(?m)^cluster:\\R(  .*\\R)*", "");
    }

    private StartedBalancer start(String node) throws Exception {
        return start(node, config(node));
    }

    private StartedBalancer start(String node, String config) throws Exception {
        StartedBalancer started = StartedBalancer.start(Files.createDirectories(directory.resolve(node)), config);
        nodes.put(node, started);
        return started;
    }

    private void stop(String node) {
        requireNonNull(nodes.remove(node)).close();
    }

    private StartedBalancer node(String name) {
        return requireNonNull(nodes.get(name));
    }

    private void startAll() throws Exception {
        for (String node : NODES) {
            start(node);
        }
        await(this::haveSameKeys);
    }

    private static Message ask(StartedBalancer node, Name name, int type) throws IOException {
        SimpleResolver resolver = new SimpleResolver(
                node.balancer().dns().orElseThrow().addresses().get(0));
        resolver.setEDNS(0, 1232, ExtendedFlags.DO);
        return resolver.send(Message.newQuery(Record.newRecord(name, type, DClass.IN)));
    }

    private static List<DNSKEYRecord> keys(StartedBalancer node) throws IOException {
        return ask(node, ZONE, Type.DNSKEY).getSection(Section.ANSWER).stream()
                .filter(DNSKEYRecord.class::isInstance)
                .map(DNSKEYRecord.class::cast)
                .toList();
    }

    private static Set<Integer> tags(StartedBalancer node) throws IOException {
        return new TreeSet<>(keys(node).stream().map(DNSKEYRecord::getFootprint).toList());
    }

    /** The tag of the key that signs the answers of a node. */
    private static int signer(StartedBalancer node) throws IOException {
        return signature(ask(node, SERVICE, Type.A)).getFootprint();
    }

    private static RRset addresses(Message answer) {
        return answer.getSectionRRsets(Section.ANSWER).stream()
                .filter(set -> set.getType() == Type.A)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no addresses: " + answer));
    }

    private static RRSIGRecord signature(Message answer) {
        return addresses(answer).sigs().get(0);
    }

    private boolean haveSameKeys() throws IOException {
        Set<Integer> first = tags(nodes.values().iterator().next());
        for (StartedBalancer node : nodes.values()) {
            if (!tags(node).equals(first)) {
                return false;
            }
        }
        return !first.isEmpty();
    }

    /**
     * Validates an answer of each node with the current key sets of all nodes. Also validates it with the key sets that
     * a resolver may have in its cache.
     */
    private void validate() throws Exception {
        long now = System.nanoTime();
        for (Map.Entry<String, StartedBalancer> node : nodes.entrySet()) {
            long until = now + TimeUnit.SECONDS.toNanos(KEY_TTL_SECONDS);
            cached.add(new CachedKeys(node.getKey(), until, keys(node.getValue())));
        }
        for (Map.Entry<String, StartedBalancer> node : nodes.entrySet()) {
            Message answer = ask(node.getValue(), SERVICE, Type.A);
            RRSIGRecord signature = signature(answer);
            long answered = System.nanoTime();
            cached.removeIf(each -> each.until() - answered <= 0);
            for (CachedKeys each : cached) {
                DNSKEYRecord key = each.keys().stream()
                        .filter(one -> one.getFootprint() == signature.getFootprint())
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("an answer of " + node.getKey() + " is signed by "
                                + signature.getFootprint() + ", which is not among the keys of " + each.node()));
                DNSSEC.verify(addresses(answer), signature, key, Instant.now());
            }
        }
    }

    private void awaitValidating(StartedBalancer.Condition condition) throws Exception {
        await(() -> {
            validate();
            return condition.holds();
        });
    }

    private record Output(int code, String text) {}

    private Output rollover(String node, String... options) {
        StringWriter text = new StringWriter();
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(text, /* autoFlush= */ true));
        line.setErr(new PrintWriter(text, /* autoFlush= */ true));
        String file = directory.resolve(node).resolve("lb.yaml").toString();
        String[] all = Stream.concat(Stream.of("dnssec", "rollover", file, "example.org"), Stream.of(options))
                .toArray(String[]::new);
        return new Output(line.execute(all), text.toString());
    }

    private Set<String> keyFiles(String node) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve(node).resolve("dnssec/example.org"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("K"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void aKeyRollsOverOnAllNodesWhileEachAnswerValidates() throws Exception {
        startAll();
        int old = signer(node("n1"));
        validate();

        Output published = rollover("n1");
        assertThat(published.code()).as(published.text()).isZero();
        assertThat(published.text()).contains("published");
        awaitValidating(() -> haveSameKeys() && tags(node("n3")).size() == 2);
        Output ds = rollover("n2", "--ds-published");
        assertThat(ds.code()).as(ds.text()).isZero();
        Output early = rollover("n2", "--step");
        assertThat(early.code()).isOne();
        assertThat(early.text()).contains("too early");

        awaitValidating(() -> rollover("n3", "--step").code() == 0);
        awaitValidating(() -> signer(node("n1")) != old && signer(node("n2")) != old && signer(node("n3")) != old);
        assertThat(signer(node("n2"))).isEqualTo(signer(node("n1")));
        awaitValidating(() -> rollover("n2", "--step").code() == 0);
        awaitValidating(() -> haveSameKeys() && tags(node("n1")).size() == 1);
        assertThat(tags(node("n1"))).containsExactly(signer(node("n3")));
    }

    @Test
    void aNodeThatIsCutOffSignsWithItsLastKeysAndChangesNone() throws Exception {
        startAll();
        Set<Integer> before = tags(node("n3"));
        stop("n1");
        stop("n2");
        StartedBalancer alone = node("n3");
        await(() -> alone.request(alone.dashboard(), "GET", "/api/v1/cluster")
                .body()
                .contains("\"has_majority\":false"));

        Output refused = rollover("n3");
        assertThat(refused.code()).as(refused.text()).isOne();
        assertThat(refused.text()).contains("have not changed");
        validate();
        assertThat(tags(alone)).isEqualTo(before);

        stop("n3");
        StartedBalancer again = start("n3");
        assertThat(tags(again)).isEqualTo(before);
        validate();
        start("n1");
        start("n2");
        await(this::haveSameKeys);
        assertThat(tags(node("n1"))).isEqualTo(before);
    }

    @Test
    void aZoneThatIsSignedAfterAReloadIsAnsweredMeanwhile() throws Exception {
        for (String node : NODES) {
            start(node, config(node).replaceFirst("(?m)^ *dnssec: .*\\R", ""));
        }
        for (String node : NODES) {
            assertThat(node(node).reload(config(node)).outcome()).isEqualTo(ReloadReport.Outcome.APPLIED);
        }

        await(() -> {
            for (StartedBalancer node : nodes.values()) {
                assertThat(ask(node, SERVICE, Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
            }
            return haveSameKeys();
        });
        validate();
    }

    @Test
    void aNewNodeDoesNotAnswerBeforeItHasTheKeysOfTheCluster() throws Exception {
        StartedBalancer first = start("n1");

        assertThat(ask(first, SERVICE, Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
        assertThat(keyFiles("n1")).isEmpty();
    }

    @Test
    void theFirstKeysBecomeThoseOfTheClusterAndReplaceOthers() throws Exception {
        int shared = signer(start("n1", alone("n1")));
        stop("n1");
        startAll();
        await(() -> tags(node("n2")).equals(Set.of(shared)));

        stop("n3");
        Files.move(directory.resolve("n3/dnssec"), directory.resolve("n3/earlier"));
        int own = signer(start("n3", alone("n3")));
        stop("n3");
        Set<String> before = keyFiles("n3");
        StartedBalancer third = start("n3");

        third.awaitEvent("the cluster has other keys for this zone; those of this node were moved to");
        await(() -> tags(third).equals(Set.of(shared)) && signer(third) == shared);
        assertThat(own).isNotEqualTo(shared);
        try (Stream<Path> files = Files.walk(directory.resolve("n3/dnssec/example.org"))) {
            assertThat(files.filter(file ->
                                    file.getParent().getFileName().toString().startsWith("replaced-"))
                            .map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(before);
        }
        validate();
    }
}
