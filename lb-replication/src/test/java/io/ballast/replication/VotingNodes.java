package io.ballast.replication;

import io.ballast.cluster.mesh.ClusterNode;
import io.ballast.cluster.observation.ObservationBoard;
import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.vote.Quorum;
import io.ballast.core.config.vote.VotingConfig;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.Event;
import io.ballast.core.health.BackendExplainer;
import io.ballast.core.health.HealthMonitor;
import io.ballast.core.health.ProbeResult;
import io.ballast.core.health.explain.BackendExplanation;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.core.testing.Pools;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The health monitors of several nodes, which check one backend and share their votes. The test decides which nodes
 * reach the backend and each other; no time passes until the test advances it. Confined to one thread.
 */
final class VotingNodes {

    /** The time in which all nodes notice a change, and agree. */
    static final Duration SETTLED = Duration.ofSeconds(20);

    private static final long NETWORK_MICROS = 200;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Set<String> cut = new HashSet<>();
    private final HealthConfig health;

    VotingNodes(Quorum quorum, int voters, String... names) {
        health = Pools.tcpEvery(Duration.ofSeconds(2)).withVoting(new VotingConfig(Optional.of(quorum), voters));
        for (String name : names) {
            nodes.put(name, new Node(name));
        }
        for (String one : names) {
            for (String other : names) {
                if (!one.equals(other)) {
                    node(one).votes.board().connected(node(other).self);
                }
            }
        }
        settle();
    }

    /** One node. */
    final class Node {

        private final ControlPlane control = scheduler.controlPlane();
        private final Backend backend = Backends.unchecked(0, "web");
        private final Topology topology;
        private final HealthMonitor monitor;
        private final ClusterVotes votes;
        private final ClusterNode self;
        private boolean isReaching = true;
        private boolean isStopped;
        private int checks;

        private Node(String name) {
            self = new ClusterNode(name, 1, new InetSocketAddress(InetAddress.getLoopbackAddress(), 7946));
            monitor = new HealthMonitor(
                    control,
                    (target, check, host, timeout, done) -> {
                        checks++;
                        ProbeResult result = new ProbeResult(
                                isReaching, Duration.ofMillis(1), isReaching ? "connected" : "connection refused");
                        control.schedule(() -> done.accept(result), Duration.ofMillis(1));
                    },
                    new SplittableRandom(name.hashCode()));
            votes = new ClusterVotes(
                    name,
                    pool -> Quorum.LOCAL,
                    listener -> new ObservationBoard(scheduler, scheduler::nanoTime, listener));
            votes.board().start((to, kind, frame) -> {
                if (isStopped || cut.contains(name + ">" + to)) {
                    return false;
                }
                control.schedule(
                        () -> node(to).votes.board().received(self, kind, frame),
                        Duration.ofNanos(NETWORK_MICROS * 1000));
                return true;
            });
            Pool pool = Pools.pool("web", health, backend);
            topology = Pools.topology(pool);
            monitor.watch(topology);
            monitor.join(votes);
        }

        BackendState state() {
            return backend.health().state();
        }

        /** The changes of the state since the first check, and the events of votes. */
        List<String> events() {
            return control.timeline().recent().stream().map(Event::text).toList();
        }

        List<String> voteEvents() {
            return control.timeline().recent().stream()
                    .filter(event -> event.origin() == Origin.CLUSTER)
                    .map(Event::text)
                    .toList();
        }

        /** Like {@link #reach} with false, but does not wait until the change has taken effect. */
        void unreach() {
            isReaching = false;
        }

        /** Returns whether this node checks the backend now. */
        boolean isChecking() {
            int before = checks;
            settle();
            return checks > before;
        }

        BackendExplanation explain() {
            var explained = new BackendExplainer(control, monitor, () -> topology)
                    .explain("web", backend.address().toString());
            scheduler.runDue();
            return explained.join().orElseThrow();
        }
    }

    Node node(String name) {
        Node node = nodes.get(name);
        if (node == null) {
            throw new AssertionError("no node " + name);
        }
        return node;
    }

    /** The states on all nodes that are not stopped, in the order of the nodes. */
    List<BackendState> states() {
        return nodes.values().stream()
                .filter(node -> !node.isStopped)
                .map(Node::state)
                .toList();
    }

    /** Sets whether a node reaches the backend, and waits until the change has taken effect. */
    void reach(String name, boolean isReaching) {
        node(name).isReaching = isReaching;
        settle();
    }

    /** Cuts the connections of a node to all other nodes. */
    void cut(String name) {
        for (String other : nodes.keySet()) {
            if (!other.equals(name)) {
                cut.add(name + ">" + other);
                cut.add(other + ">" + name);
                node(name).votes.board().disconnected(node(other).self);
                node(other).votes.board().disconnected(node(name).self);
            }
        }
        settle();
    }

    /** Connects a node that was cut off. */
    void heal(String name) {
        for (String other : nodes.keySet()) {
            if (!other.equals(name)) {
                cut.remove(name + ">" + other);
                cut.remove(other + ">" + name);
                node(name).votes.board().connected(node(other).self);
                node(other).votes.board().connected(node(name).self);
            }
        }
        settle();
    }

    /** Ends a node. */
    void stop(String name) {
        Node node = node(name);
        node.isStopped = true;
        node.monitor.close();
        cut(name);
    }

    void settle() {
        scheduler.advance(SETTLED);
    }

    void advance(Duration time) {
        scheduler.advance(time);
    }
}
