package io.ballast.replication.certificate;

import io.ballast.acme.challenge.ChallengeResponder;
import io.ballast.acme.challenge.ChallengeResponse;
import io.ballast.acme.coordination.CoordinatedOrders;
import io.ballast.acme.state.IssuedCertificates;
import io.ballast.cluster.config.ClusterSecretKey;
import io.ballast.cluster.fact.Fact;
import io.ballast.cluster.fact.ProposalResult;
import io.ballast.cluster.observation.Observation;
import io.ballast.cluster.secret.SecretCipher;
import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import io.ballast.core.testing.ManualScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/**
 * Nodes that share certificates through a table of facts. The test chooses the leader, and whether there is a majority.
 * Other threads may call a node; everything else happens on the thread of the test, in {@link #run} and {@link #advance}.
 */
final class ScriptedCluster implements AutoCloseable {

    static final String KEY = "ab".repeat(32);
    /** The name of a thread that orders while the thread of the test runs the cluster. */
    static final String ORDERING = "ordering";

    static final String ISSUER = "https://ca.example/dir";

    final ManualScheduler scheduler = new ManualScheduler();
    final Map<String, Fact> facts = new ConcurrentHashMap<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Path directory;
    private final Duration maxChallengeWait;
    private long version;
    private volatile Optional<String> leader = Optional.empty();

    ScriptedCluster(Path directory) {
        this(directory, Duration.ofMinutes(1));
    }

    /** @param maxChallengeWait the longest wait until all nodes serve a response to a challenge */
    ScriptedCluster(Path directory, Duration maxChallengeWait) {
        this.directory = directory;
        this.maxChallengeWait = maxChallengeWait;
    }

    /** Starts a node with a configured name and certificates on demand. */
    Node start(String name) throws Exception {
        return start(name, KEY);
    }

    Node start(String name, String secretKey) throws Exception {
        Node node = new Node(name, secretKey);
        nodes.put(name, node);
        node.family.connect(node);
        facts.values().forEach(fact -> node.family.committed(fact.key(), Optional.of(fact)));
        node.family.ready(/* isNew= */ false);
        for (Node each : nodes.values()) {
            Set<String> others = new LinkedHashSet<>(nodes.keySet());
            others.remove(each.name);
            each.family.rows().connected(others);
        }
        run();
        return node;
    }

    /** Elects a leader, and lets it order if it can. */
    void elect(String name) {
        elect(name, Duration.ofSeconds(CertificateFacts.PATIENCE + 3));
    }

    void elect(String name, Duration time) {
        leader = Optional.of(name);
        advance(time);
    }

    void loseMajority() {
        leader = Optional.empty();
        run();
    }

    void run() {
        scheduler.runDue();
        for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
            next.run();
            scheduler.runDue();
        }
    }

    void advance(Duration time) {
        Duration step = Duration.ofMillis(500);
        run();
        for (Duration left = time; left.compareTo(Duration.ZERO) > 0; left = left.minus(step)) {
            scheduler.advance(step);
            run();
        }
    }

    private void commit(String key, Optional<String> value, long base, CompletableFuture<ProposalResult> result) {
        Fact before = facts.get(key);
        if (leader.isEmpty()) {
            result.complete(ProposalResult.UNKNOWN);
        } else if (base != (before == null ? Fact.ABSENT : before.version())) {
            result.complete(ProposalResult.OVERTAKEN);
        } else {
            Optional<Fact> next = value.map(text -> new Fact(key, text, ++version));
            next.ifPresentOrElse(fact -> facts.put(key, fact), () -> facts.remove(key));
            nodes.values().forEach(each -> each.family.committed(key, next));
            result.complete(ProposalResult.COMMITTED);
        }
    }

    @Override
    public void close() {
        nodes.values().forEach(node -> node.family.close());
    }

    /** A node, and the notifications that its parts have received. */
    final class Node implements SealedFacts.Store, CoordinatedOrders, ChallengeResponder {

        final String name;
        final Path dataDir;
        final CertificateFacts family;
        final IssuedCertificates certificates;
        final List<String> changed = new ArrayList<>();
        final List<String> ordered = new ArrayList<>();
        final List<String> ended = new ArrayList<>();
        final List<ChallengeResponse> served = new CopyOnWriteArrayList<>();
        final CompletableFuture<Void> order = new CompletableFuture<>();
        final ChallengeResponder responder;
        private boolean isSilent;

        Node(String name, String secretKey) throws Exception {
            this.name = name;
            this.dataDir = Files.createDirectories(directory.resolve(name));
            BallastConfig config = ConfigLoader.ofProcess()
                    .load(Files.writeString(dataDir.resolve("lb.yaml"), """
                        acme: {directory: "%s", on_demand: {ask: "http://127.0.0.1:1/"}}
                        listeners:
                          - bind: 127.0.0.1:0
                            name: secure
                            protocol: https
                            tls: {acme: [shop.example.com], on_demand: true}
                            routes: [{respond: {status: 200, body: served}}]
                          - {bind: "127.0.0.1:0", redirect: https}
                        """.formatted(ISSUER)))
                    .config();
            this.certificates = new IssuedCertificates(dataDir, config.acme().orElseThrow());
            Executor thread = task -> {
                if (Thread.currentThread().getName().equals(ORDERING)) {
                    tasks.add(task);
                } else {
                    scheduler.execute(task);
                }
            };
            this.family = new CertificateFacts(
                    scheduler.controlPlane(),
                    new SecretCipher(new ClusterSecretKey(secretKey), new SecureRandom()),
                    () -> config,
                    dataDir,
                    thread,
                    () -> {},
                    maxChallengeWait);
            family.share(this);
            this.responder = family.responder(this);
            family.publishOn((topic, content) -> tasks.add(() -> publish(new Observation(name, 1, 1, topic, content))));
        }

        private void publish(Observation row) {
            if (!isSilent) {
                nodes.values().stream()
                        .filter(each -> each != this)
                        .forEach(each -> each.family.rows().changed(List.of(row), List.of()));
            }
        }

        /** Publishes no rows any more. */
        void silence() {
            isSilent = true;
        }

        @Override
        public Optional<Fact> find(String key) {
            return Optional.ofNullable(facts.get(key));
        }

        @Override
        public CompletableFuture<ProposalResult> propose(String key, Optional<String> value, long base) {
            CompletableFuture<ProposalResult> result = new CompletableFuture<>();
            tasks.add(() -> commit(key, value, base, result));
            return result;
        }

        @Override
        public Optional<String> leader() {
            return leader;
        }

        @Override
        public boolean isLeader() {
            return leader.equals(Optional.of(name));
        }

        @Override
        public void filesChanged(String host) {
            changed.add(host);
        }

        @Override
        public CompletableFuture<?> orderOnDemand(String host, Optional<String> replaced) {
            ordered.add(host + replaced.map(serial -> " for " + serial).orElse(""));
            return order;
        }

        @Override
        public void requestEnded(String host) {
            ended.add(host);
        }

        @Override
        public void publish(ChallengeResponse response) throws IOException {
            served.add(response);
        }

        @Override
        public void withdraw(ChallengeResponse response) {
            served.removeIf(each -> each.name().equals(response.name()));
        }
    }
}
