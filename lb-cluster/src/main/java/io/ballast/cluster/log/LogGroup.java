package io.ballast.cluster.log;

import io.ballast.cluster.raft.ElectionRandom;
import io.ballast.cluster.raft.LogFile;
import io.ballast.cluster.raft.LogMember;
import io.ballast.cluster.raft.LogTime;
import io.ballast.cluster.raft.Records;
import io.microraft.RaftConfig;
import io.microraft.RaftEndpoint;
import io.microraft.RaftNode;
import io.microraft.RaftNodeStatus;
import io.microraft.RaftRole;
import io.microraft.impl.RaftNodeImpl;
import io.microraft.impl.state.RaftState;
import io.microraft.persistence.RestoredRaftState;
import io.microraft.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Raft group of this node's copy of the log: the nodes that started the log together, and the nodes that joined
 * later. Confined to the log thread.
 */
final class LogGroup {

    private static final Logger LOG = LoggerFactory.getLogger(LogGroup.class);

    private static final int HEARTBEAT_SECONDS = 1;
    private static final int LEADER_TIMEOUT_SECONDS = 15;
    private static final int ELECTION_MILLIS = 1500;
    private static final int MAX_PENDING = 1000;
    private static final int BATCH = 64;
    private static final int COMMANDS_PER_SNAPSHOT = 5000;
    private static final int REPORT_SECONDS = 3600;

    /** Durations are in the shortened seconds of {@link LogTime}. */
    private static final RaftConfig CONFIG = RaftConfig.newBuilder()
            .setLeaderHeartbeatPeriodSecs(HEARTBEAT_SECONDS)
            .setLeaderHeartbeatTimeoutSecs(LEADER_TIMEOUT_SECONDS)
            .setLeaderElectionTimeoutMillis(ELECTION_MILLIS)
            .setMaxPendingLogEntryCount(MAX_PENDING)
            .setAppendEntriesRequestBatchSize(BATCH)
            .setCommitCountToTakeSnapshot(COMMANDS_PER_SNAPSHOT)
            .setRaftNodeReportPublishPeriodSecs(REPORT_SECONDS)
            .build();

    private final LogMember self;
    private final List<LogMember> initialMembers;
    private final UUID id;
    private final LogTime time;
    private final RaftNodeImpl node;

    private LogGroup(LogMember self, List<LogMember> initialMembers, RaftNode.RaftNodeBuilder builder, Parts parts) {
        this.self = self;
        this.initialMembers = initialMembers;
        this.id = id(initialMembers);
        this.time = parts.time();
        this.node = (RaftNodeImpl) builder.setGroupId(id.toString())
                .setConfig(CONFIG)
                .setExecutor(parts.time())
                .setClock(parts.time())
                .setRandom(new ElectionRandom())
                .setTransport(parts.transport())
                .setStateMachine(parts.machine())
                .setStore(parts.file())
                .setModelFactory(Records.MODELS)
                .setRaftNodeReportListener(report -> {})
                .build();
    }

    void start() {
        node.start().exceptionally(failure -> {
            LOG.error("cluster=log_failed", failure);
            return null;
        });
    }

    /** Starts a log with these members, or joins the log that they have already started. */
    static LogGroup begin(LogMember self, Collection<LogMember> members, Parts parts) {
        List<LogMember> initial =
                members.stream().sorted(Comparator.comparing(LogMember::node)).toList();
        return new LogGroup(
                self,
                initial,
                RaftNode.newBuilder().setLocalEndpoint(self).setInitialGroupMembers(List.<RaftEndpoint>copyOf(initial)),
                parts);
    }

    /** Continues after a restart. */
    static LogGroup restore(RestoredRaftState state, Parts parts) {
        LogMember self = (LogMember) state.getLocalEndpointPersistentState().getLocalEndpoint();
        List<LogMember> initial = state.getInitialGroupMembers().getMembers().stream()
                .map(LogMember.class::cast)
                .sorted(Comparator.comparing(LogMember::node))
                .toList();
        return new LogGroup(self, initial, RaftNode.newBuilder().setRestoredState(state), parts);
    }

    /**
     * Returns the id of a group, which its initial members determine. Groups with different ids never exchange
     * commands.
     */
    private static UUID id(List<LogMember> initialMembers) {
        String members =
                initialMembers.stream().map(member -> member.getId().toString()).collect(Collectors.joining(","));
        return UUID.nameUUIDFromBytes(members.getBytes(StandardCharsets.UTF_8));
    }

    UUID id() {
        return id;
    }

    List<LogMember> initialMembers() {
        return initialMembers;
    }

    /** The newest committed members known to this copy. Any thread may call this method. */
    GroupMembers membership() {
        return GroupMembers.of(node.getCommittedMembers());
    }

    RaftNode node() {
        return node;
    }

    /** The leader; null if this node does not know it. */
    @Nullable LogMember leader() {
        return (LogMember) node.getTerm().getLeaderEndpoint();
    }

    boolean isLeader() {
        return self.equals(leader());
    }

    /**
     * Starts an election soon if the disconnected node was the leader. The other nodes do the same; a node that is
     * still connected to the leader rejects the candidate.
     */
    void disconnected(String node) {
        LogMember leader = leader();
        if (leader != null && leader.node().equals(node)) {
            time.advance(LEADER_TIMEOUT_SECONDS);
        }
    }

    /**
     * Ends a pre-vote that became obsolete because another node became the leader. MicroRaft 0.7 does not end it, and
     * then never starts another pre-vote: after a restart of all voters, the cluster could not elect a new leader when
     * it lost the current one.
     */
    void endStalePreVote() {
        RaftState state = node.state();
        RaftEndpoint leader = state.leader();
        if (leader != null && state.preCandidateState() != null && state.role() == RaftRole.FOLLOWER) {
            node.toFollower(state.term());
            node.leader(leader);
        }
    }

    boolean isTerminated() {
        return node.getStatus() == RaftNodeStatus.TERMINATED;
    }

    /** Leaves the group. The future completes after the last write. */
    CompletableFuture<?> close() {
        return node.terminate();
    }

    /** The objects of a node that a group uses. */
    record Parts(LogFile file, LogTime time, Transport transport, LoggedMachine machine) {}
}
