package io.ballast.dashboard.source;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The cluster as this node sees it. Immutable.
 *
 * @param cluster the name of the cluster
 * @param node the name of this node
 * @param leader the leader; absent if this node knows no leader, so that no change can be committed
 * @param voters the names of the nodes that decide on changes, as configured, without removed nodes
 * @param nodes this node and the connected nodes, by name
 * @param applied the position in the log up to which this node has applied all changes
 * @param facts the number of facts
 * @param unknownFacts the number of facts that this version of Ballast does not know, because a newer version made them
 * @param pending the changes of this node that are not committed yet
 * @param rejected changes of this node that the cluster rejected since the start
 * @param refused connections that were refused since the start, for example because of their certificate
 * @param failedHandshakes TLS handshakes that failed since the start
 * @param dropped messages to other nodes that were dropped since the start, because too many were unsent
 * @param observations the data that nodes exchange without storing it in the log
 * @param votes the votes of nodes about backends
 * @param configuration the versions of the configuration that the nodes use
 * @param limits the messages about limits that the nodes share
 */
public record ClusterStats(
        String cluster,
        String node,
        Optional<String> leader,
        List<String> voters,
        List<Node> nodes,
        long applied,
        int facts,
        int unknownFacts,
        List<Pending> pending,
        long rejected,
        long refused,
        long failedHandshakes,
        long dropped,
        Observations observations,
        Votes votes,
        Configuration configuration,
        LimitMessages limits) {

    public ClusterStats {
        voters = List.copyOf(voters);
        nodes = List.copyOf(nodes);
        pending = List.copyOf(pending);
    }

    /** Whether a majority of the voters is connected, so that changes can be committed. */
    public boolean hasMajority() {
        return leader.isPresent();
    }

    /** Whether this node is the leader. */
    public boolean isLeader() {
        return leader.filter(node::equals).isPresent();
    }

    /** The connected nodes. */
    public List<Node> otherNodes() {
        return nodes.stream().filter(each -> !each.name().equals(node)).toList();
    }

    /** The voters that are not connected, in the order of the configuration. */
    public List<String> missingVoters() {
        return voters.stream()
                .filter(voter -> nodes.stream().noneMatch(node -> node.name().equals(voter)))
                .toList();
    }

    /** The time at which the oldest pending change was made; empty if no change is pending. */
    public Optional<Instant> pendingSince() {
        return pending.stream().map(Pending::since).min(Comparator.naturalOrder());
    }

    /**
     * A node of the cluster.
     *
     * @param address the address to which other nodes connect
     * @param started when the node's process started
     * @param isVoter whether the node decides on changes
     * @param roundTripNanos the last round trip from this node in nanoseconds; 0 for this node, and before the first
     *     round trip
     * @param certificateEnd the expiry time of the node's certificate; absent if it is not known
     */
    public record Node(
            String name,
            String address,
            Instant started,
            boolean isVoter,
            long roundTripNanos,
            Optional<Instant> certificateEnd) {}

    /**
     * Messages about limits that the nodes share, since the start.
     *
     * @param sentBytes bytes that were sent
     * @param receivedBytes bytes that were received
     * @param lost messages that were not sent, or not processed
     */
    public record LimitMessages(long sentBytes, long receivedBytes, long lost) {}

    /**
     * Observations: rows that each node writes, and the frames that carry them.
     *
     * @param ownRows the rows of this node
     * @param otherRows the rows of other nodes
     * @param sent frames that were sent since the start, once for each receiver
     * @param received frames that were received since the start
     * @param lost frames that were not sent or not processed since the start
     * @param refused rows that were not stored since the start, because a limit was reached
     */
    public record Observations(int ownRows, int otherRows, long sent, long received, long lost, long refused) {}

    /**
     * Votes about the backends of this node.
     *
     * @param others the votes of other nodes
     * @param overruled backends whose state contradicts the checks of this node
     * @param overrulings how often a backend has become overruled since the start
     * @param unchecked backends that other nodes check instead of this node
     */
    public record Votes(int others, int overruled, long overrulings, int unchecked) {}

    /**
     * The versions of the configuration that the nodes of the cluster use.
     *
     * @param active the active version of the cluster; 0 if there is none
     * @param nodes the configurations that this node and the connected nodes use, by name
     * @param isOutdated whether this node shares the configuration, but does not use the active version
     * @param failures failed attempts of this node to use a version, since the start
     */
    public record Configuration(
            long active, List<SharedConfiguration.NodeState> nodes, boolean isOutdated, long failures) {

        /** The value before the first version is applied. */
        public static final Configuration NONE = new Configuration(0, List.of(), /* isOutdated= */ false, 0);

        public Configuration {
            nodes = List.copyOf(nodes);
        }

        /** The configuration that a node uses. */
        public Optional<SharedConfiguration.NodeState> of(String node) {
            return nodes.stream().filter(each -> each.node().equals(node)).findFirst();
        }
    }

    /**
     * A change that is not committed yet.
     *
     * @param subject the changed object, such as {@code override/state/web/10.0.0.1:80}
     * @param since the time at which the change was made
     */
    public record Pending(String subject, Instant since) {}
}
