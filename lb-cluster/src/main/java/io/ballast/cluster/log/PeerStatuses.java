package io.ballast.cluster.log;

import io.ballast.cluster.raft.LogMember;
import io.microraft.RaftEndpoint;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The statuses of the connected nodes. Thread-safe. */
final class PeerStatuses {

    private final Map<String, LogStatus> statuses = new ConcurrentHashMap<>();
    private volatile Set<String> forgotten = Set.of();

    /** Replaces the set of nodes that will not return. */
    void setForgotten(Set<String> nodes) {
        forgotten = nodes;
    }

    /** Whether an operator has removed a node, so that it no longer counts as a voter. */
    boolean isForgotten(String node) {
        return forgotten.contains(node);
    }

    void put(String node, LogStatus status) {
        statuses.put(node, status);
    }

    void remove(String node) {
        statuses.remove(node);
    }

    @Nullable LogStatus get(String node) {
        return statuses.get(node);
    }

    Map<String, LogStatus> all() {
        return statuses;
    }

    /** Whether the node of a member is connected and still has this copy of the log. */
    boolean isConnected(RaftEndpoint endpoint) {
        LogMember member = (LogMember) endpoint;
        LogStatus status = statuses.get(member.node());
        return status != null && member.equals(status.copy());
    }

    boolean knowsGroup() {
        return statuses.values().stream().anyMatch(LogStatus::hasGroup);
    }

    /**
     * Returns the initial members of the group to join. This is the group of a connected node. If no connected node has
     * a group, it is a new group of all voters, provided that this node is a voter and all other voters are connected.
     * Empty if this node must wait.
     */
    List<LogMember> group(LogMember self, List<String> voters) {
        for (LogStatus status : statuses.values()) {
            if (status.hasGroup()) {
                return status.initialMembers();
            }
        }
        List<LogMember> members = voters.stream()
                .flatMap(voter -> voter.equals(self.node())
                        ? Stream.of(self)
                        : Stream.ofNullable(statuses.get(voter))
                                .map(LogStatus::copy)
                                .filter(Objects::nonNull))
                .toList();
        return members.contains(self) && members.size() == voters.size() ? members : List.of();
    }

    /** The newest members known to any connected node; null if no connected node knows the members. */
    @Nullable GroupMembers membership() {
        return statuses.values().stream()
                .map(LogStatus::membership)
                .filter(Objects::nonNull)
                .max(Comparator.comparingLong(GroupMembers::index))
                .orElse(null);
    }

    /** The leader according to a connected member with the newest term; null if that member does not know a leader. */
    @Nullable String leader() {
        return statuses.values().stream()
                .filter(LogStatus::isMember)
                .max(Comparator.comparingInt(LogStatus::term))
                .map(LogStatus::leader)
                .filter(leader -> !leader.isEmpty())
                .orElse(null);
    }
}
