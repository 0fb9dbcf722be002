package io.ballast.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.cluster.mesh.Mesh;
import io.ballast.cluster.mesh.MeshConfig;
import io.ballast.cluster.raft.LogFile;
import io.ballast.cluster.raft.LogMember;
import io.ballast.cluster.testing.Poll;
import io.ballast.cluster.testing.TestAuthority;
import io.ballast.net.testing.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the replicated log with real nodes, which use TLS on the loopback interface. */
class FactLogTest {

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
        for (String node : List.of("n1", "n2", "n3", "learner")) {
            addresses.put(node, new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.find()));
        }
    }

    @AfterEach
    void close() {
        nodes.values().forEach(Node::close);
    }

    private Path directory(String node) {
        return directory.resolve(node);
    }

    private void start(String node) throws Exception {
        start(node, VOTERS);
    }

    private void start(String node, List<String> voters) throws Exception {
        start(new FactLogConfig(node, voters, directory(node)));
    }

    private void startWitness(String node) throws Exception {
        start(new FactLogConfig(node, VOTERS, directory(node), /* servesClients= */ false));
    }

    private void start(FactLogConfig config) throws Exception {
        String node = config.node();
        RecordingMachine machine = new RecordingMachine();
        FactLog log = new FactLog(config, machine);
        var tls = authority.tls(node);
        Mesh mesh = new Mesh(
                new MeshConfig("edge", node, addresses.get(node), List.copyOf(addresses.values()), () -> tls),
                ++starts,
                List.of(log));
        log.start(mesh);
        mesh.start();
        nodes.put(node, new Node(machine, log, mesh));
    }

    private void startAll() throws Exception {
        for (String node : addresses.keySet()) {
            start(node);
        }
    }

    private void stop(String node) {
        nodes.remove(node).close();
    }

    /** Submits a command. Repeats this as long as the command was certainly not accepted. */
    private void submit(String node, String command) throws Exception {
        FactLog log = nodes.get(node).log;
        long start = System.nanoTime();
        while (true) {
            Poll.until(() -> log.leader() != null);
            try {
                byte[] result =
                        log.submit(command.getBytes(StandardCharsets.UTF_8)).get(60, TimeUnit.SECONDS);
                assertThat(result).asString(StandardCharsets.UTF_8).isEqualTo(command);
                return;
            } catch (ExecutionException e) {
                assertThat(e.getCause()).isInstanceOf(FactLogException.class);
                assertThat(((FactLogException) e.getCause()).isOutcomeUnknown()).isFalse();
                assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(60));
            }
        }
    }

    private void awaitEverywhere(String... commands) throws Exception {
        for (Node node : nodes.values()) {
            Poll.until(() -> node.machine.commands.size() >= commands.length);
            assertThat(node.machine.commands).containsExactly(commands);
        }
    }

    private List<String> voters(String node) {
        return nodes.get(node).log.voters();
    }

    private LogMember copy(String node) {
        return nodes.get("n1").log.membership().members().stream()
                .filter(member -> member.node().equals(node))
                .findFirst()
                .orElseThrow();
    }

    private boolean votersAre(String node, List<String> expected) {
        List<String> voters = voters(node);
        return voters.size() == expected.size() && voters.containsAll(expected);
    }

    @Test
    void everyNodeAppliesEveryCommandInOrder() throws Exception {
        startAll();
        submit("n1", "a");
        submit("learner", "b");
        submit("n3", "c");

        awaitEverywhere("a", "b", "c");
        assertThat(voters("n2")).containsExactlyInAnyOrderElementsOf(VOTERS);
        assertThat(voters("learner")).containsExactlyInAnyOrderElementsOf(VOTERS);
    }

    @Test
    void restartedNodeHasWhatItMissed() throws Exception {
        startAll();
        submit("n1", "a");
        stop("n3");
        submit("n2", "b");
        start("n3");

        awaitEverywhere("a", "b");
    }

    @Test
    void allNodesRestartWithTheirFacts() throws Exception {
        startAll();
        submit("n1", "a");
        awaitEverywhere("a");
        List.copyOf(nodes.keySet()).forEach(this::stop);
        startAll();
        submit("learner", "b");

        awaitEverywhere("a", "b");
    }

    @Test
    void minorityAcceptsNothingAndKeepsItsState() throws Exception {
        startAll();
        submit("n1", "a");
        awaitEverywhere("a");
        stop("n2");
        stop("n3");
        Poll.until(() -> nodes.get("n1").log.leader() == null);

        assertThatThrownBy(() -> nodes.get("n1").log.submit(new byte[] {1}).get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(FactLogException.class)
                .hasMessageContaining("no leader");
        assertThat(nodes.get("n1").machine.commands).containsExactly("a");
    }

    @Test
    void votersThatNeverMetBeginNothing() throws Exception {
        start("n1");
        start("n2");
        Poll.until(() -> nodes.get("n1").mesh.isConnected("n2"));

        assertThat(voters("n1")).isEmpty();
        start("n3");
        submit("n1", "a");
        awaitEverywhere("a");
    }

    @Test
    void voterWithoutFilesJoinsAsNewCopyAndVotesAgain() throws Exception {
        startAll();
        submit("n1", "a");
        awaitEverywhere("a");
        LogMember lost = copy("n3");
        stop("n3");
        Files.delete(directory("n3").resolve(LogFile.NAME));
        Files.delete(directory("n3").resolve("facts.state"));
        start("n3");

        awaitEverywhere("a");
        Poll.until(() -> votersAre("n1", VOTERS)
                && !nodes.get("n1").log.membership().voters().contains(lost));
        stop("n2");
        submit("n3", "b");
        awaitEverywhere("a", "b");
    }

    @Test
    void damagedFileIsKeptAndNodeJoinsAsNewCopy() throws Exception {
        startAll();
        submit("n1", "a");
        awaitEverywhere("a");
        stop("n3");
        damage(directory("n3").resolve(LogFile.NAME));
        start("n3");

        awaitEverywhere("a");
        assertThat(directory("n3").resolve(LogFile.NAME + ".damaged-1")).isNotEmptyFile();
    }

    @Test
    void nodeThatNoLongerVotesStaysAsLearner() throws Exception {
        startAll();
        submit("n1", "a");
        List.copyOf(nodes.keySet()).forEach(this::stop);
        for (String node : addresses.keySet()) {
            start(node, List.of("n1", "n2", "learner"));
        }

        Poll.until(() ->
                votersAre("n1", List.of("n1", "n2", "learner")) && votersAre("n3", List.of("n1", "n2", "learner")));
        Poll.until(() -> Files.notExists(directory("n3").resolve(LogFile.NAME)));
        submit("n3", "b");
        awaitEverywhere("a", "b");
    }

    @Test
    void nodeAloneHasItsLastStateAfterRestart() throws Exception {
        startAll();
        submit("n1", "a");
        awaitEverywhere("a");
        List.copyOf(nodes.keySet()).forEach(this::stop);
        start("n1");
        start("learner");

        awaitEverywhere("a");
        assertThat(nodes.get("n1").log.leader()).isNull();
    }

    @Test
    void learnerThatWasAwayForLongGetsSnapshot() throws Exception {
        startAll();
        submit("n1", "a");
        awaitEverywhere("a");
        stop("learner");
        for (int round = 0; round < 12; round++) { // more commands than a voter keeps for learners
            List<CompletableFuture<byte[]>> submitted = IntStream.range(0, 500)
                    .mapToObj(i -> nodes.get("n1").log.submit(new byte[] {'b'}))
                    .toList();
            CompletableFuture.allOf(submitted.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        }
        start("learner");

        int size = 1 + 12 * 500;
        for (Node node : nodes.values()) {
            Poll.until(() -> node.machine.commands.size() >= size);
        }
        assertThat(nodes.get("learner").machine.commands).hasSize(size).isEqualTo(nodes.get("n1").machine.commands);
    }

    @Test
    void anotherVoterLeadsWhenTheLeaderStops() throws Exception {
        startAll();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Poll.until(() -> nodes.get("learner").log.leader() != null);
            String leader = nodes.get("learner").log.leader();
            stop(leader);
            Poll.until(() -> nodes.values().stream()
                    .allMatch(node ->
                            node.log.leader() != null && !node.log.leader().equals(leader)));
            submit("learner", "c" + i);
            expected.add("c" + i);
            start(leader);
        }

        awaitEverywhere(expected.toArray(String[]::new));
    }

    @Test
    void witnessGivesTheLeadershipAway() throws Exception {
        startWitness("n1");
        start("n2");
        startWitness("n3");
        submit("n1", "a");
        Poll.until(() -> nodes.values().stream().allMatch(node -> "n2".equals(node.log.leader())));

        stop("n2");
        submit("n1", "b"); // one of the witnesses leads, and does not transfer the leadership to the other witness
        awaitEverywhere("a", "b");

        start("n2");
        Poll.until(() -> nodes.values().stream().allMatch(node -> "n2".equals(node.log.leader())));
        submit("n2", "c");
        awaitEverywhere("a", "b", "c");
    }

    @Test
    void forgottenVoterNoLongerCountsAndMayReturn() throws Exception {
        startAll();
        submit("n1", "a");
        stop("n3");
        nodes.values().forEach(node -> node.log.forget(Set.of("n3")));
        Poll.until(() -> votersAre("n1", List.of("n1", "n2")));
        submit("n2", "b");

        nodes.values().forEach(node -> node.log.forget(Set.of()));
        start("n3");
        Poll.until(() -> votersAre("n1", VOTERS));
        submit("n3", "c");

        awaitEverywhere("a", "b", "c");
    }

    @Test
    void oneVoterIsEnough() throws Exception {
        for (String node : List.of("n1", "learner")) {
            start(node, List.of("n1"));
        }
        submit("learner", "a");

        awaitEverywhere("a");
    }

    @Test
    void directoryBelongsToOneProcess() throws Exception {
        start("n1");
        FactLog second = new FactLog(new FactLogConfig("n1", VOTERS, directory("n1")), new RecordingMachine());

        assertThatThrownBy(() -> second.start(nodes.get("n1").mesh))
                .isInstanceOf(FactLogException.class)
                .hasMessageContaining("is in use by another process");
        second.close();
    }

    /** Changes a byte in the middle of a file. */
    private static void damage(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long middle = channel.size() / 2;
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, middle);
            one.put(0, (byte) ~one.get(0)).rewind();
            channel.write(one, middle);
        }
    }

    private record Node(RecordingMachine machine, FactLog log, Mesh mesh) {
        void close() {
            log.close();
            mesh.close();
        }
    }
}
