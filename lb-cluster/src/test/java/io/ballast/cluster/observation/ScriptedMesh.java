package io.ballast.cluster.observation;

import io.ballast.cluster.mesh.ClusterNode;
import io.ballast.core.testing.ManualScheduler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Boards that exchange frames as the test decides. No task runs and no time passes until the test advances the clock.
 * Confined to one thread.
 */
final class ScriptedMesh {

    final ManualScheduler scheduler = new ManualScheduler();
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    /** The directed connections, such as {@code a>b}. */
    private final Set<String> connections = new LinkedHashSet<>();

    private long incarnations;
    /** Whether frames are lost although the connections are open. */
    boolean isLossy;

    /** The number of frames and bytes that were delivered. */
    int frames;

    int largest;

    /** A board, and the rows that its listener has received. */
    final class Node implements ObservationListener {

        final ObservationBoard board = new ObservationBoard(scheduler, scheduler::nanoTime, this);
        final Map<String, String> seen = new TreeMap<>();
        final List<Set<String>> memberships = new ArrayList<>();
        private final ClusterNode self;

        private Node(String name) {
            self = new ClusterNode(name, ++incarnations, new InetSocketAddress(InetAddress.getLoopbackAddress(), 7946));
        }

        @Override
        public void changed(List<Observation> present, List<Observation> gone) {
            gone.forEach(row -> seen.remove(row.node() + ":" + row.topic()));
            present.forEach(
                    row -> seen.put(row.node() + ":" + row.topic(), new String(row.content(), StandardCharsets.UTF_8)));
        }

        @Override
        public void connected(Set<String> others) {
            memberships.add(others);
        }

        void put(String topic, String content) {
            board.put(topic, content.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Starts a node, which is not connected to other nodes. */
    Node start(String name) {
        Node node = new Node(name);
        nodes.put(name, node);
        node.board.start((to, kind, frame) -> send(node, to, kind, frame));
        return node;
    }

    private boolean send(Node from, String to, int kind, byte[] frame) {
        if (!connections.contains(from.self.node() + ">" + to)) {
            return false;
        }
        if (!isLossy) {
            frames++;
            largest = Math.max(largest, frame.length);
            node(to).board.received(from.self, kind, frame);
        }
        return true;
    }

    /**
     * Passes a frame to the receiver. The receiver's board has not processed the frame yet when this method returns.
     */
    void deliver(String from, String to, byte[] frame) {
        node(to).board.received(node(from).self, ObservationBoard.KIND, frame);
    }

    ClusterNode process(String name) {
        return node(name).self;
    }

    private Node node(String name) {
        Node node = nodes.get(name);
        if (node == null) {
            throw new AssertionError("no node " + name);
        }
        return node;
    }

    void connect(String one, String other) {
        connectOneWay(one, other);
        connectOneWay(other, one);
    }

    void connectOneWay(String from, String to) {
        connections.add(from + ">" + to);
        node(from).board.connected(node(to).self);
        scheduler.runDue();
    }

    void disconnect(String one, String other) {
        disconnectOneWay(one, other);
        disconnectOneWay(other, one);
    }

    void disconnectOneWay(String from, String to) {
        connections.remove(from + ">" + to);
        node(from).board.disconnected(node(to).self);
        scheduler.runDue();
    }
}
