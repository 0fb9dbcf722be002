package io.ballast.cluster.fact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.cluster.log.FactLogConfig;
import io.ballast.cluster.mesh.Mesh;
import io.ballast.cluster.mesh.MeshConfig;
import io.ballast.cluster.testing.Poll;
import io.ballast.cluster.testing.TestAuthority;
import io.ballast.net.testing.FreePort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests shared facts with real nodes, which use TLS on the loopback interface. */
class SharedFactsTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final List<String> VOTERS = List.of("n1", "n2", "n3");

    @TempDir
    private Path directory;

    private final Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private TestAuthority authority;
    private long starts;

    @BeforeEach
    void prepare() throws Exception {
        authority = new TestAuthority();
        for (String node : VOTERS) {
            addresses.put(node, new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.find()));
        }
    }

    @AfterEach
    void close() {
        nodes.values().forEach(Node::close);
    }

    private Node start(String name) throws Exception {
        Recorder recorder = new Recorder();
        SharedFacts facts =
                new SharedFacts(new FactLogConfig(name, VOTERS, directory.resolve(name)), Clock.systemUTC(), recorder);
        var tls = authority.tls(name);
        Mesh mesh = new Mesh(
                new MeshConfig("edge", name, addresses.get(name), List.copyOf(addresses.values()), () -> tls),
                ++starts,
                List.of(facts.log()));
        facts.start(mesh);
        mesh.start();
        Node node = new Node(facts, mesh, recorder);
        nodes.put(name, node);
        return node;
    }

    private void stop(String name) {
        nodes.remove(name).close();
    }

    private static boolean has(Node node, String key, String value) {
        return node.facts().find(key).map(Fact::value).equals(Optional.of(value));
    }

    private static long version(Node node, String key) {
        return node.facts().find(key).map(Fact::version).orElse(Fact.ABSENT);
    }

    private static void set(Node node, String key, String value) {
        node.facts().change(key, Optional.of(value), version(node, key));
    }

    private static CompletableFuture<ChangeResult> settled(Node node, String key) {
        return node.facts().watch(key::equals).result(LONG);
    }

    private void awaitEverywhere(String key, String value) {
        nodes.values().forEach(node -> Poll.until(() -> has(node, key, value)));
    }

    @Test
    void aChangeReachesEveryNode() throws Exception {
        Node first = start("n1");
        Node second = start("n2");
        start("n3");
        set(first, "a", "1");
        awaitEverywhere("a", "1");
        Poll.until(() -> first.facts().pending().isEmpty());
        set(second, "a", "2");
        awaitEverywhere("a", "2");
        second.facts().change("a", Optional.empty(), version(second, "a"));
        Poll.until(() -> first.facts().all().isEmpty() && first.facts().size() == 0);
        assertThat(first.recorder().events).containsExactly("new", "a=1", "a=2", "a=");
    }

    @Test
    void severalChangesInARowEndWithTheLast() throws Exception {
        Node first = start("n1");
        start("n2");
        start("n3");
        for (int i = 0; i <= 100; i++) {
            first.facts().change("a", Optional.of("v" + i), Fact.ABSENT);
        }
        awaitEverywhere("a", "v100");
        Poll.until(() -> first.facts().pending().isEmpty());
        assertThat(first.recorder().events).noneMatch(event -> event.startsWith("rejected"));
    }

    @Test
    void aPendingChangeSurvivesARestartAndIsCommittedLater() throws Exception {
        Node alone = start("n1");
        set(alone, "a", "1");
        Poll.until(() -> alone.facts().pending().size() == 1);
        assertThat(settled(alone, "b").join()).isEqualTo(ChangeResult.COMMITTED);
        assertThat(alone.facts()
                        .watch("a"::equals)
                        .result(Duration.ofMillis(50))
                        .join())
                .isEqualTo(ChangeResult.PENDING);
        stop("n1");
        Node again = start("n1");
        Poll.until(() -> again.recorder().events.equals(List.of("restored a=1", "known")));
        start("n2");
        start("n3");
        awaitEverywhere("a", "1");
        assertThat(settled(again, "a").join()).isEqualTo(ChangeResult.COMMITTED);
    }

    @Test
    void aPendingChangeIsRejectedIfAnotherNodeChangedTheFact() throws Exception {
        Node first = start("n1");
        start("n2");
        start("n3");
        set(first, "a", "0");
        awaitEverywhere("a", "0");
        stop("n2");
        stop("n3");
        long base = version(first, "a");
        Poll.until(() -> first.facts().log().leader() == null);
        first.facts().change("a", Optional.of("pending"), base);
        Poll.until(() -> !first.facts().pending().isEmpty());
        stop("n1");

        Node second = start("n2");
        start("n3");
        set(second, "a", "theirs");
        awaitEverywhere("a", "theirs");
        Node again = start("n1");
        Poll.until(() -> again.recorder().events.contains("rejected a=pending"));
        awaitEverywhere("a", "theirs");
        assertThat(again.facts().pending()).isEmpty();
        assertThat(again.facts().rejected()).isEqualTo(1);
        assertThat(again.recorder().events).contains("restored a=pending");
        Poll.until(() -> again.recorder().last().equals("a=theirs"));
    }

    @Test
    void ofTwoChangesAtTheSameTimeOneIsRejected() throws Exception {
        Node first = start("n1");
        Node second = start("n2");
        start("n3");
        set(first, "a", "0");
        awaitEverywhere("a", "0");
        Poll.until(() -> first.facts().pending().isEmpty());
        long base = version(first, "a");

        ChangeWatch watchOfFirst = first.facts().watch("a"::equals);
        ChangeWatch watchOfSecond = second.facts().watch("a"::equals);
        first.facts().change("a", Optional.of("of n1"), base);
        second.facts().change("a", Optional.of("of n2"), base);
        ChangeResult ofFirst = watchOfFirst.result(LONG).join();
        ChangeResult ofSecond = watchOfSecond.result(LONG).join();

        assertThat(List.of(ofFirst, ofSecond))
                .containsExactlyInAnyOrder(
                        ChangeResult.COMMITTED, ChangeResult.rejected("another node changed the fact meanwhile"));
        awaitEverywhere("a", ofFirst.equals(ChangeResult.COMMITTED) ? "of n1" : "of n2");
    }

    @Test
    void theNumberOfPendingChangesIsLimited() throws Exception {
        Node alone = start("n1");
        for (int i = 0; i <= PendingChanges.MAX_PENDING; i++) {
            set(alone, "k" + i, "v");
        }
        String surplus = "k" + PendingChanges.MAX_PENDING;
        Poll.until(() -> alone.recorder().events.contains("rejected " + surplus + "=v"));
        ChangeWatch watch = alone.facts().watch("more"::equals);
        set(alone, "more", "v");
        assertThat(watch.result(LONG).join())
                .isEqualTo(ChangeResult.rejected(PendingChanges.MAX_PENDING + " changes are pending"));
        assertThat(alone.facts().pending()).hasSize(PendingChanges.MAX_PENDING);
        assertThat(alone.facts().rejected()).isEqualTo(2);
    }

    @Test
    void aProposalIsTriedOnce() throws Exception {
        Node first = start("n1");
        assertThat(first.facts().propose("a", Optional.of("0"), Fact.ABSENT).join())
                .isEqualTo(ProposalResult.UNKNOWN);
        assertThat(first.facts().pending()).isEmpty();
        start("n2");
        start("n3");
        Poll.until(() -> first.facts().log().leader() != null);

        Poll.until(
                () -> first.facts().propose("a", Optional.of("1"), Fact.ABSENT).join() == ProposalResult.COMMITTED);
        awaitEverywhere("a", "1");
        assertThat(first.facts().propose("a", Optional.of("2"), Fact.ABSENT).join())
                .isEqualTo(ProposalResult.OVERTAKEN);
        assertThat(first.facts()
                        .propose("a", Optional.empty(), version(first, "a"))
                        .join())
                .isEqualTo(ProposalResult.COMMITTED);
        assertThat(first.recorder().events).noneMatch(event -> event.startsWith("rejected"));
    }

    @Test
    void aChangeBeyondTheBoundOfItsPrefixIsRejected() throws Exception {
        Node first = start("n1");
        start("n2");
        start("n3");
        for (int i = 0; i < Recorder.BOUND.facts(); i++) {
            set(first, "few/" + i, "v");
            awaitEverywhere("few/" + i, "v");
        }
        set(first, "few/more", "v");
        Poll.until(() -> first.recorder().events.contains("rejected few/more=v"));
        assertThat(first.facts()
                        .propose("few/more", Optional.of("v"), Fact.ABSENT)
                        .join())
                .isEqualTo(ProposalResult.FULL);
        set(first, "few/0", "w");
        awaitEverywhere("few/0", "w");
        assertThat(first.facts().count("few/"::equals)).isEqualTo(Recorder.BOUND.facts());
    }

    @Test
    void longKeysAndValuesAreRefused() throws Exception {
        Node alone = start("n1");
        String value = "x".repeat(Fact.MAX_VALUE_BYTES + 1);
        assertThatThrownBy(() -> set(alone, "k", value)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> set(alone, "k".repeat(Fact.MAX_KEY_LENGTH + 1), "v"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> set(alone, "", "v")).isInstanceOf(IllegalArgumentException.class);
    }

    private record Node(SharedFacts facts, Mesh mesh, Recorder recorder) {
        void close() {
            facts.close();
            mesh.close();
        }
    }

    private static final class Recorder implements FactListener {

        static final FactBound BOUND = new FactBound(3, 1000);

        final List<String> events = new CopyOnWriteArrayList<>();

        @Override
        public FactBound bound(String key) {
            return key.startsWith("few/") ? BOUND : FactBound.ALL;
        }

        @Override
        public void committed(String key, Optional<Fact> fact) {
            events.add(key + "=" + fact.map(Fact::value).orElse(""));
        }

        @Override
        public void restored(PendingChange change) {
            events.add("restored " + change.key() + "=" + change.value().orElse(""));
        }

        @Override
        public void ready(boolean isNew) {
            events.add(isNew ? "new" : "known");
        }

        @Override
        public void rejected(PendingChange change, String reason) {
            events.add("rejected " + change.key() + "=" + change.value().orElse(""));
        }

        String last() {
            List<String> all = new ArrayList<>(events);
            return all.get(all.size() - 1);
        }
    }
}
