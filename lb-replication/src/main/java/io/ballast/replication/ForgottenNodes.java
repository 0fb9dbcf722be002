package io.ballast.replication;

import io.ballast.cluster.fact.Fact;
import io.ballast.cluster.fact.FactBound;
import io.ballast.cluster.fact.FactFamily;
import io.ballast.cluster.fact.FactStore;
import io.ballast.cluster.fact.PendingChange;
import io.ballast.cluster.mesh.ClusterNode;
import io.ballast.cluster.mesh.MeshListener;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that will not return, as facts with keys such as {@code node/n3}. Such a node does not count as a missing voter
 * or for a majority, and has no part of shared limits. If it connects again, the leader removes the fact, and the node
 * joins as a new node.
 *
 * <p>The leader keeps the last {@value #KEPT} facts. Thread-safe.
 */
final class ForgottenNodes implements FactFamily, MeshListener {

    static final String PREFIX = "node/";

    static final int KEPT = 64;

    private static final int MAX_SEEN = 1_000;
    private static final FactBound BOUND = new FactBound(2 * KEPT, /* bytes= */ 1 << 20);

    private final Set<String> connected = ConcurrentHashMap.newKeySet();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final ControlPlane control;
    private final List<String> voters;
    private volatile Set<String> names = Set.of();
    private volatile BiConsumer<Set<String>, Optional<String>> listener = (all, added) -> {};
    private volatile @Nullable FactStore facts;

    /** @param voters the voters of the configuration */
    ForgottenNodes(ControlPlane control, List<String> voters) {
        this.control = control;
        this.voters = List.copyOf(voters);
    }

    /** @param all gets all forgotten nodes after each change, and the node that was added */
    void listen(BiConsumer<Set<String>, Optional<String>> all) {
        listener = all;
        all.accept(names, Optional.empty());
    }

    /** The voters of the configuration that are not forgotten. */
    List<String> presentVoters() {
        return voters.stream().filter(voter -> !names.contains(voter)).toList();
    }

    /** The known nodes that are not connected and not forgotten, in alphabetical order. */
    Set<String> absent(String self) {
        Set<String> absent = new TreeSet<>(voters);
        absent.addAll(seen);
        absent.removeAll(connected);
        absent.removeAll(names);
        absent.remove(self);
        return absent;
    }

    /** The key of a node's fact. */
    static String key(String node) {
        return PREFIX + node;
    }

    /**
     * Forgets a node. This takes effect when the cluster has committed it.
     *
     * @param self the name of this node
     * @param who the operator
     * @throws NoSuchElementException if this node does not know {@code node}
     * @throws IllegalStateException if {@code node} is connected, or is this node itself
     */
    void forget(String node, String self, String who) {
        if (node.equals(self)) {
            throw new IllegalStateException("node " + node + " is this node (expected: a node that will not return)");
        }
        if (connected.contains(node)) {
            throw new IllegalStateException(
                    "node " + node + " is connected (expected: a node that will not return; stop it first)");
        }
        if (!voters.contains(node) && !seen.contains(node) && !names.contains(node)) {
            Set<String> known = new TreeSet<>(voters);
            known.addAll(seen);
            known.removeAll(connected);
            known.remove(self);
            throw new NoSuchElementException("there is no node " + node + " (nodes that are not connected: "
                    + (known.isEmpty() ? "none" : String.join(", ", known)) + ")");
        }
        FactStore store = facts;
        if (store == null) {
            throw new NoSuchElementException("this process is not in a cluster");
        }
        long base = store.find(key(node)).map(Fact::version).orElse(Fact.ABSENT);
        String value = control.clock().instant() + (who.isEmpty() ? "" : " by " + who);
        store.change(key(node), Optional.of(value), base);
    }

    // ---- facts

    @Override
    public String prefix() {
        return PREFIX;
    }

    @Override
    public FactBound bound() {
        return BOUND;
    }

    @Override
    public void connect(FactStore store) {
        facts = store;
    }

    @Override
    public void committed(String key, Optional<Fact> fact) {
        String node = key.substring(PREFIX.length());
        Set<String> next = new TreeSet<>(names);
        boolean isChanged = fact.isPresent() ? next.add(node) : next.remove(node);
        if (!isChanged) {
            return;
        }
        names = Set.copyOf(next);
        listener.accept(names, fact.map(added -> node));
        String text = fact.map(added -> "forgotten: it will not return, since " + added.value())
                .orElse("is no longer forgotten, because it is connected again");
        control.execute(() -> control.timeline().add(Origin.CLUSTER, node, text));
        maintain();
    }

    /** If this node is the leader, removes the facts of connected nodes, and the oldest facts. */
    void maintain() {
        FactStore store = facts;
        if (store == null || !store.isLeader()) {
            return;
        }
        List<Fact> all = store.all();
        for (int i = 0; i < all.size(); i++) {
            Fact fact = all.get(i);
            if (i < all.size() - KEPT || connected.contains(fact.key().substring(PREFIX.length()))) {
                CompletableFuture<?> unused = store.propose(fact.key(), /* value= */ Optional.empty(), fact.version());
            }
        }
    }

    @Override
    public void restored(PendingChange change) {}

    @Override
    public void ready(boolean isNew) {}

    @Override
    public void rejected(PendingChange change, String reason) {
        control.execute(() -> control.timeline()
                .add(
                        Origin.CLUSTER,
                        change.key().substring(PREFIX.length()),
                        "the cluster rejected the removal of this node: " + reason));
    }

    // ---- connections

    @Override
    public void connected(ClusterNode peer) {
        connected.add(peer.node());
        if (seen.size() < MAX_SEEN) {
            seen.add(peer.node());
        }
        if (names.contains(peer.node())) {
            maintain();
        }
    }

    @Override
    public void disconnected(ClusterNode peer) {
        connected.remove(peer.node());
    }

    @Override
    public void received(ClusterNode sender, int kind, byte[] message) {}
}
