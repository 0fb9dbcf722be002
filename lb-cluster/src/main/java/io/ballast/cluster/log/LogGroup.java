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
 * This node's copy of the log as a member of its group: the nodes that began the log together, and those that joined later.
 * Used by the thread of the log.
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

    /** In seconds of {@link LogTime}. */
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

    /** Begins a log with these members, or joins the one that they began. */
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

    /** Two groups with different initial members have nothing in common. */
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

    /** The committed members, as far as this copy knows. Any thread may call it. */
    GroupMembers membership() {
        return GroupMembers.of(node.getCommittedMembers());
    }

    RaftNode node() {
        return node;
    }

    /** Null if this node knows no leader. */
    @Nullable LogMember leader() {
        return (LogMember) node.getTerm().getLeaderEndpoint();
    }

    boolean isLeader() {
        return self.equals(leader());
    }

    /** Begins an election soon if the leader was that node, whose process is gone. Others do the same, or refuse. */
    void disconnected(String node) {
        LogMember leader = leader();
        if (leader != null && leader.node().equals(node)) {
            time.advance(LEADER_TIMEOUT_SECONDS);
        }
    }

    /**
     * Ends a pre-vote that a leader has overtaken. MicroRaft 0.7 keeps it in this case, and then never begins another one: after
     * a restart of all voters, the loss of the leader would be the end of the cluster.
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

    /** The future completes when nothing is written any more. */
    CompletableFuture<?> close() {
        return node.terminate();
    }

    /** The parts of a node that a group uses. */
    record Parts(LogFile file, LogTime time, Transport transport, LoggedMachine machine) {}
}
