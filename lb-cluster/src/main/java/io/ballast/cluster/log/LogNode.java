package io.ballast.cluster.log;

import io.ballast.cluster.mesh.Mesh;
import io.ballast.cluster.raft.LogMember;
import io.ballast.cluster.raft.LogTime;
import io.ballast.core.ErrorText;
import io.microraft.model.message.RaftMessage;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log on one node: the state, this node's copy if it votes, the feed for nodes that do not vote, and the follower
 * that receives commands while this node does not vote. {@link #leader}, {@link #membership} and {@link #applied} may
 * be called by any thread; all other methods are confined to the log thread.
 */
final class LogNode {

    private static final Logger LOG = LoggerFactory.getLogger(LogNode.class);

    private static final int STATUS = Mesh.FIRST_KIND;
    private static final int RAFT = STATUS + 1;
    private static final int COMMAND = STATUS + 2;
    private static final int RESULT = STATUS + 3;
    private static final int FOLLOW = STATUS + 4;
    private static final int COMMANDS = STATUS + 5;
    private static final int SNAPSHOT = STATUS + 6;
    private static final int TICKS_PER_SECOND = 10;

    /** A node that does not vote sends its status less often, because no other node waits for it. */
    private static final int LEARNER_STATUS_TICKS = 5 * TICKS_PER_SECOND;

    private final PeerStatuses statuses = new PeerStatuses();
    private final FactLogConfig config;
    private final FactDirectory directory;
    private final FactState state;
    private final Mesh mesh;
    private final LogTransport transport;
    private final LogTime time;
    private final Submissions submissions;
    private final LogFeed feed;
    private final LogFollower follower;
    private volatile @Nullable LogCopy copy;
    private CompletableFuture<?> closing = CompletableFuture.completedFuture(null);
    private String toldLeader = "";
    private long savedPosition;
    private long ticks;

    private LogNode(
            FactLogConfig config,
            FactDirectory directory,
            FactState state,
            Mesh mesh,
            ScheduledExecutorService thread) {
        this.config = config;
        this.directory = directory;
        this.state = state;
        this.mesh = mesh;
        this.transport = new LogTransport(statuses, mesh, RAFT);
        this.time = new LogTime(thread, new Random());
        this.submissions = new Submissions(mesh, COMMAND, RESULT);
        this.feed = new LogFeed(state, mesh, thread, COMMANDS, SNAPSHOT);
        this.follower = new LogFollower(config.node(), state, statuses, mesh, FOLLOW);
        this.savedPosition = state.applied();
        state.setListener(feed);
    }

    static LogNode open(FactLogConfig config, FactMachine machine, Mesh mesh, ScheduledExecutorService thread)
            throws IOException {
        FactDirectory directory = FactDirectory.open(config.directory());
        try {
            FactState state = new FactState(machine);
            Optional<byte[]> saved = directory.readState();
            if (saved.isPresent()) {
                state.install(saved.get());
            }
            LogNode node = new LogNode(config, directory, state, mesh, thread);
            node.openCopy();
            return node;
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    /**
     * Opens this node's copy. A node that is no longer a configured voter keeps its copy until the leader removes it.
     */
    private void openCopy() throws IOException {
        if (config.voters().contains(config.node()) || directory.hasCopy()) {
            copy = LogCopy.open(config, state, statuses, transport, time);
        }
    }

    static boolean isKind(int kind) {
        return kind >= STATUS && kind <= SNAPSHOT;
    }

    // ---- thread-safe queries

    /** The name of the leader; null if it is not known. */
    @Nullable String leader() {
        LogGroup group = memberGroup();
        if (group == null) {
            return statuses.leader();
        }
        LogMember leader = group.leader();
        return leader == null ? null : leader.node();
    }

    /** The newest members that this node knows; null before it knows any. */
    @Nullable GroupMembers membership() {
        LogGroup group = memberGroup();
        return group == null ? statuses.membership() : group.membership();
    }

    long applied() {
        return state.applied();
    }

    private @Nullable LogGroup group() {
        LogCopy current = copy;
        return current == null ? null : current.group();
    }

    /** The group, if this node's copy is a member of it and therefore receives all commands; otherwise null. */
    private @Nullable LogGroup memberGroup() {
        LogCopy current = copy;
        return current != null && current.isMember() ? current.group() : null;
    }

    void forget(Set<String> nodes) {
        statuses.setForgotten(nodes);
    }

    // ---- periodic tasks

    void tick() throws IOException {
        boolean news = tickCopy();
        if (memberGroup() == null) {
            follower.tick();
        } else {
            follower.stop();
        }
        String leader = Objects.requireNonNullElse(leader(), "");
        int pause = memberGroup() == null ? LEARNER_STATUS_TICKS : TICKS_PER_SECOND;
        if (news || !leader.equals(toldLeader) || ticks % pause == 0) {
            tellLeader(leader);
            mesh.broadcast(STATUS, status().encode());
        }
        if (ticks++ % TICKS_PER_SECOND == 0) {
            save();
        }
    }

    /** Returns true if the copy has joined a group or was closed, so that other nodes must get the new status. */
    private boolean tickCopy() throws IOException {
        LogCopy current = copy;
        if (!closing.isDone()) {
            return false;
        }
        if (current == null) {
            openCopy();
            return false;
        }
        if (current.isUsable()) {
            return current.tick();
        }
        copy = null;
        closing = current.close();
        return true;
    }

    private void tellLeader(String leader) {
        if (!leader.equals(toldLeader)) {
            LOG.info("cluster=leader node={}", leader.isEmpty() ? "none" : leader);
            toldLeader = leader;
        }
    }

    private void save() throws IOException {
        long position = state.applied();
        if (position != savedPosition) {
            directory.writeState(state.snapshot());
            savedPosition = position;
        }
    }

    private LogStatus status() {
        LogCopy current = copy;
        LogGroup group = group();
        return new LogStatus(
                current == null ? null : current.self(),
                group == null ? List.of() : group.initialMembers(),
                state.applied(),
                group == null ? null : group.membership(),
                group == null ? 0 : group.node().getTerm().getTerm(),
                Objects.requireNonNullElse(leader(), ""),
                config.servesClients());
    }

    // ---- commands and messages

    void submit(byte[] command, CompletableFuture<byte[]> result) {
        String leader = leader();
        LogGroup group = memberGroup();
        if (leader != null && statuses.get(leader) == null && (group == null || !group.isLeader())) {
            result.completeExceptionally(new FactLogException(
                    "the leader " + leader + " has not connected to this node yet, so it could not return the result"));
            return;
        }
        submissions.submit(group, leader, command, result);
    }

    void connected(String node) {
        mesh.send(node, STATUS, status().encode());
    }

    void disconnected(String node) {
        statuses.remove(node);
        feed.forget(node);
        submissions.disconnected(node);
        LogGroup group = memberGroup();
        if (group != null) {
            group.disconnected(node);
        }
    }

    void receive(String sender, int kind, byte[] message) {
        try {
            switch (kind) {
                case STATUS -> receiveStatus(sender, message);
                case RAFT -> receiveRaft(sender, message);
                case COMMAND -> submissions.receiveCommand(memberGroup(), sender, message);
                case RESULT -> submissions.receiveResult(sender, message);
                case FOLLOW -> receiveFollow(sender, message);
                case COMMANDS -> follower.receiveCommands(sender, message);
                case SNAPSHOT -> follower.receiveSnapshot(sender, message);
                default -> throw new IllegalArgumentException("unknown message kind: " + kind);
            }
        } catch (IOException e) {
            LOG.warn("cluster=malformed node={} kind={} reason=\"{}\"", sender, kind, ErrorText.of(e));
        }
    }

    private void receiveStatus(String sender, byte[] message) throws IOException {
        LogStatus status = LogStatus.decode(message);
        boolean isOwn = status.copy() == null || status.copy().node().equals(sender);
        if (isOwn && mesh.isConnected(sender)) {
            statuses.put(sender, status);
        }
    }

    private void receiveRaft(String sender, byte[] bytes) throws IOException {
        LogCopy current = copy;
        LogGroup group = group();
        if (current == null || group == null) {
            return;
        }
        UUID id = group.id();
        RaftMessage message = LogTransport.read(sender, bytes, current.self(), id);
        if (message != null) {
            group.node().handle(message);
        }
    }

    private void receiveFollow(String sender, byte[] message) throws IOException {
        if (memberGroup() != null) {
            feed.follow(sender, message);
        }
    }

    /** Closes this node's part of the log. The future completes when all files are closed. */
    CompletableFuture<?> close() {
        LogCopy current = copy;
        copy = null;
        CompletableFuture<?> ended = current == null ? closing : current.close();
        return ended.handle((result, failure) -> {
            try {
                save();
                directory.close();
            } catch (IOException e) {
                LOG.error("cluster=log_failed reason=\"{}\"", ErrorText.of(e));
            }
            return null;
        });
    }
}
