package io.ballast.cluster.log;

import io.ballast.cluster.mesh.ClusterNode;
import io.ballast.cluster.mesh.Mesh;
import io.ballast.cluster.mesh.MeshListener;
import io.ballast.cluster.raft.LogMember;
import io.ballast.core.ErrorText;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's access to the replicated log of facts. Thread-safe; starts one thread, which also writes to disk.
 *
 * <p>A command is committed when a majority of the voters has written it to disk. A committed command is never lost.
 * All nodes apply the commands in the same order, including nodes that were disconnected. Without a majority, no
 * command is accepted; the state of the {@link FactMachine} remains available, even after a restart.
 *
 * <p>The first start of a cluster needs all voters. Later, any node may be down. A voter that has lost its files joins
 * with a new copy, and votes again when the copy has caught up.
 */
public final class FactLog implements MeshListener, AutoCloseable {

    /** The largest command, in bytes. */
    public static final int MAX_COMMAND_BYTES = 48 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(FactLog.class);
    private static final int TICK_MILLIS = 100;
    private static final int LEADERLESS_TICKS = 30;
    private static final int CLOSE_SECONDS = 5;
    private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread created = new Thread(task, "cluster-log");
        created.setDaemon(true);
        return created;
    });
    private final FactLogConfig config;
    private final FactMachine machine;
    private Consumer<Optional<String>> leaderListener = leader -> {};
    private Optional<String> toldLeader = Optional.empty();
    private int leaderlessTicks;
    private String loggedReason = "";
    private long loggedNanos;
    private volatile Set<String> forgotten = Set.of();
    private volatile @Nullable LogNode node;

    public FactLog(FactLogConfig config, FactMachine machine) {
        this.config = config;
        this.machine = machine;
    }

    /**
     * Sets a listener for changes of {@link #leader}: it gets the new leader, or an empty value if this node has known
     * no leader for {@value #LEADERLESS_TICKS} × {@value #TICK_MILLIS} ms, which is longer than most elections. Called
     * by the log thread; must not block. Set before {@link #start}.
     */
    public void onLeader(Consumer<Optional<String>> listener) {
        leaderListener = listener;
    }

    /**
     * Restores the state from disk, and takes part in the cluster from now on.
     *
     * @param mesh a mesh that notifies this log and is not started yet
     * @throws FactLogException if the files cannot be read, or another process uses them
     */
    public void start(Mesh mesh) {
        try {
            node = thread.submit(() -> LogNode.open(config, machine, mesh, thread))
                    .get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FactLogException("interrupted", e);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new FactLogException(
                    "cannot open the log in " + config.directory() + ": " + ErrorText.of(cause), cause);
        }
        thread.scheduleWithFixedDelay(() -> with(this::tick), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Replaces the set of voters that will not return. The leader removes these voters from the members of the log, so
     * that they no longer count for a majority. A removed voter joins again when it is no longer in this set and is
     * connected.
     */
    public void forget(Set<String> nodes) {
        forgotten = Set.copyOf(nodes);
    }

    private void tick(LogNode current) throws IOException {
        current.forget(forgotten);
        current.tick();
        Optional<String> leader = Optional.ofNullable(current.leader());
        leaderlessTicks = leader.isPresent() ? 0 : leaderlessTicks + 1;
        if (!leader.equals(toldLeader) && (leader.isPresent() || leaderlessTicks >= LEADERLESS_TICKS)) {
            toldLeader = leader;
            leaderListener.accept(leader);
        }
    }

    private void with(Action action) {
        LogNode current = node;
        if (current != null) {
            try {
                action.run(current);
            } catch (Exception e) {
                logFailure(e.toString());
            }
        }
    }

    /** Logs a failure once, and again after a minute: a full disk fails every write. */
    private void logFailure(String reason) {
        long now = System.nanoTime();
        if (!reason.equals(loggedReason) || now - loggedNanos >= LOG_NANOS) {
            loggedReason = reason;
            loggedNanos = now;
            LOG.error("cluster=log_failed reason=\"{}\"", reason);
        }
    }

    /**
     * Submits a command. The future completes with the result of {@link FactMachine#apply} when the command is
     * committed. It fails with a {@link FactLogException} if the command was not accepted, or if its outcome is unknown
     * because the leader was lost. The caller sets a timeout.
     *
     * @param command at most {@value #MAX_COMMAND_BYTES} bytes
     */
    public CompletableFuture<byte[]> submit(byte[] command) {
        if (command.length > MAX_COMMAND_BYTES) {
            throw new IllegalArgumentException(
                    "a command of " + command.length + " bytes (expected: at most " + MAX_COMMAND_BYTES + ")");
        }
        CompletableFuture<byte[]> result = new CompletableFuture<>();
        execute(() -> with(current -> current.submit(command, result)));
        return result;
    }

    /** The name of the leader; null if this node does not know a leader. */
    public @Nullable String leader() {
        LogNode current = node;
        return current == null ? null : current.leader();
    }

    /** Whether this node is the leader. */
    public boolean isLeader() {
        return config.node().equals(leader());
    }

    /** The names of the voters; empty until this node knows the members. */
    public List<String> voters() {
        GroupMembers membership = membership();
        return membership == null
                ? List.of()
                : membership.voters().stream().map(LogMember::node).toList();
    }

    @Nullable GroupMembers membership() {
        LogNode current = node;
        return current == null ? null : current.membership();
    }

    /** The position in the log up to which this node has applied all commands. */
    public long applied() {
        LogNode current = node;
        return current == null ? 0 : current.applied();
    }

    @Override
    public void connected(ClusterNode peer) {
        execute(() -> with(current -> current.connected(peer.node())));
    }

    @Override
    public void disconnected(ClusterNode peer) {
        execute(() -> with(current -> current.disconnected(peer.node())));
    }

    @Override
    public void received(ClusterNode sender, int kind, byte[] message) {
        if (LogNode.isKind(kind)) {
            execute(() -> with(current -> current.receive(sender.node(), kind, message)));
        }
    }

    private void execute(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("the log is closed");
        }
    }

    /** Leaves the cluster. The futures of pending commands may fail although the commands are committed. */
    @Override
    public void close() {
        if (thread.isShutdown()) {
            return;
        }
        CompletableFuture<Object> done = new CompletableFuture<>();
        execute(() -> {
            LogNode current = node;
            node = null;
            CompletableFuture<?> ended = current == null ? CompletableFuture.completedFuture(null) : current.close();
            ended.whenComplete((result, failure) -> done.complete(this));
        });
        done.completeOnTimeout(this, CLOSE_SECONDS, TimeUnit.SECONDS).join();
        thread.shutdownNow();
    }

    private interface Action {
        void run(LogNode node) throws Exception;
    }
}
