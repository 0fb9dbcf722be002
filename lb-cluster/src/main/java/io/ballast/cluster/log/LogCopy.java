package io.ballast.cluster.log;

import io.ballast.cluster.raft.DamagedLogException;
import io.ballast.cluster.raft.LogFile;
import io.ballast.cluster.raft.LogMember;
import io.ballast.cluster.raft.LogTime;
import io.ballast.core.ErrorText;
import io.microraft.persistence.RestoredRaftState;
import io.microraft.transport.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A voter's open copy of the log. Confined to the log thread. */
final class LogCopy {

    private static final Logger LOG = LoggerFactory.getLogger(LogCopy.class);

    /** The time that a new copy waits before it starts a new group, because other nodes may already have a group. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long MAX_FILE_BYTES = 64 << 20;

    private final FactLogConfig config;
    private final LogFile file;
    private final LogMember self;
    private final FactState state;
    private final PeerStatuses statuses;
    private final LogGroup.Parts parts;
    private final Admissions admissions;
    private final long openedNanos = System.nanoTime();
    private volatile @Nullable LogGroup group;
    private boolean takesSnapshot;

    private LogCopy(
            FactLogConfig config,
            LogFile file,
            FactState state,
            PeerStatuses statuses,
            Transport transport,
            LogTime time) {
        this.config = config;
        this.file = file;
        this.self = new LogMember(config.node(), file.copy());
        this.state = state;
        this.statuses = statuses;
        this.parts = new LogGroup.Parts(file, time, transport, new LoggedMachine(state));
        this.admissions = new Admissions(config, self, statuses, state);
        RestoredRaftState restored = file.restored();
        if (restored != null) {
            LogGroup continued = LogGroup.restore(restored, parts);
            state.enter(continued.id());
            continued.start();
            group = continued;
        }
    }

    static LogCopy open(FactLogConfig config, FactState state, PeerStatuses statuses, Transport transport, LogTime time)
            throws IOException {
        return new LogCopy(config, openFile(config.directory()), state, statuses, transport, time);
    }

    private static LogFile openFile(Path directory) throws IOException {
        try {
            return LogFile.open(directory);
        } catch (DamagedLogException e) {
            Path kept = setAside(directory);
            LOG.error(
                    "cluster=log_damaged file={} reason=\"{}\" effect=\"this node joins again as a new copy\"",
                    kept,
                    ErrorText.of(e));
            return LogFile.open(directory);
        }
    }

    private static Path setAside(Path directory) throws IOException {
        Path file = directory.resolve(LogFile.NAME);
        for (int i = 1; ; i++) {
            Path kept = directory.resolve(LogFile.NAME + ".damaged-" + i);
            if (Files.notExists(kept)) {
                return Files.move(file, kept);
            }
        }
    }

    LogMember self() {
        return self;
    }

    /** Returns the group; null before this copy has joined one. Any thread may call this method. */
    @Nullable LogGroup group() {
        return group;
    }

    /** Whether this copy is a member of its group, and therefore receives all commands. */
    boolean isMember() {
        LogGroup current = group;
        return current != null && current.membership().members().contains(self);
    }

    /** Whether the copy can be used. After a disk error or the removal from the group, it must be closed. */
    boolean isUsable() {
        return file.failure() == null && !wasRemoved();
    }

    private boolean wasRemoved() {
        LogGroup current = group;
        if (current == null) {
            return false;
        }
        GroupMembers newest = statuses.membership();
        boolean isMissing = newest != null
                && newest.index() > current.membership().index()
                && !newest.members().contains(self);
        return current.isTerminated() || (isMissing && isMember());
    }

    /** Joins a group, changes members or takes a snapshot, if necessary. Returns whether this call joined a group. */
    boolean tick() {
        LogGroup current = group;
        if (current == null) {
            return join();
        }
        current.endStalePreVote();
        admissions.step(current);
        if (file.bytes() > MAX_FILE_BYTES && !takesSnapshot) {
            takesSnapshot = true;
            current.node().takeSnapshot().whenComplete((report, failure) -> takesSnapshot = false);
        }
        return false;
    }

    private boolean join() {
        if (System.nanoTime() - openedNanos < PATIENCE_NANOS && !statuses.knowsGroup()) {
            return false;
        }
        List<LogMember> members = statuses.group(self, config.voters());
        if (members.isEmpty()) {
            return false;
        }
        LOG.info("cluster=joining node={} initial_members={}", self, members);
        LogGroup joined = LogGroup.begin(self, members, parts);
        state.enter(joined.id());
        joined.start();
        group = joined;
        return true;
    }

    /**
     * Closes the copy. If it was removed from its group, also deletes its file, so that the node may join with a new
     * copy. The future completes when the file is closed.
     */
    CompletableFuture<?> close() {
        LogGroup current = group;
        boolean removed = file.failure() == null && wasRemoved();
        CompletableFuture<?> ended = current == null ? CompletableFuture.completedFuture(null) : current.close();
        return ended.handle((result, failure) -> {
            closeFile(removed);
            return null;
        });
    }

    private void closeFile(boolean removed) {
        try {
            file.close();
            if (removed) {
                LOG.info("cluster=removed node={} effect=\"this node does not vote\"", self);
                Files.deleteIfExists(config.directory().resolve(LogFile.NAME));
            }
        } catch (IOException e) {
            LOG.error("cluster=log_failed reason=\"{}\"", ErrorText.of(e));
        }
    }
}
