package io.ballast.cluster.fact;

import io.ballast.cluster.log.FactLog;
import io.ballast.cluster.log.FactLogConfig;
import io.ballast.cluster.mesh.Mesh;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The facts of a cluster as one node sees and changes them. Thread-safe; starts one thread, the fact thread, in
 * addition to the log thread.
 *
 * <p>A change of this node is pending until it is committed, even across a restart. It is submitted repeatedly while
 * there is no majority. If another node changes the same fact in the meantime, the pending change is rejected.
 *
 * <p>Bounds: those of {@link FactTable} and {@link PendingChanges}.
 */
public final class SharedFacts implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SharedFacts.class);
    private static final int RETRY_MILLIS = 250;
    private static final int PROPOSAL_SECONDS = 5;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread created = new Thread(task, "cluster-facts");
        created.setDaemon(true);
        return created;
    });
    private final Map<String, Fact> committed = new ConcurrentHashMap<>();
    private final FactUsage usage = new FactUsage();
    private final FactLog log;
    private final PendingChanges pending;
    private final FactListener listener;

    /** @param listener is notified of all changes */
    public SharedFacts(FactLogConfig config, InstantSource clock, FactListener listener) {
        this.listener = listener;
        this.log =
                new FactLog(config, new FactTable((key, fact) -> execute(() -> apply(key, Optional.ofNullable(fact)))));
        this.pending = new PendingChanges(
                new PendingFile(config.directory().resolve("pending.state")),
                log,
                this::execute,
                clock,
                new Outcomes());
    }

    /** Returns the log. The mesh must notify it of connections and messages. */
    public FactLog log() {
        return log;
    }

    /**
     * Restores the facts and the pending changes from disk, and joins the cluster. The listener is notified of all
     * existing facts.
     *
     * @throws io.ballast.cluster.log.FactLogException as {@link FactLog#start} does
     */
    public void start(Mesh mesh) {
        log.start(mesh);
        boolean isNew = log.applied() == 0;
        execute(() -> {
            pending.restore();
            listener.ready(isNew && committed.isEmpty() && pending.list().isEmpty());
        });
        thread.scheduleWithFixedDelay(() -> run(pending::submit), RETRY_MILLIS, RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Returns the committed fact with this key, if there is one. */
    public Optional<Fact> find(String key) {
        return Optional.ofNullable(committed.get(key));
    }

    /** The committed facts, in no particular order. */
    public List<Fact> all() {
        return List.copyOf(committed.values());
    }

    /** The number of committed facts. */
    public int size() {
        return committed.size();
    }

    /** The changes that are not committed yet. */
    public List<PendingChange> pending() {
        return pending.list();
    }

    /** The number of changes of this node that were rejected since its start. */
    public long rejected() {
        return pending.rejected();
    }

    /**
     * Changes a fact. The change is pending when this method returns.
     *
     * @param value the new value; absent to remove the fact
     * @param base the version on which the change is based; {@link Fact#ABSENT} if there was none
     * @throws IllegalArgumentException if the key or the value is too long
     */
    public void change(String key, Optional<String> value, long base) {
        requireShort(key, value);
        execute(() -> pending.add(key, value.orElse(null), base, excess(key, value)));
    }

    private Optional<String> excess(String key, Optional<String> value) {
        return value.flatMap(next -> usage.excess(key, next, committed.get(key), listener.bound(key)));
    }

    /**
     * Tries to change a fact once. The change is not pending meanwhile, so it has no effect on this node before it is
     * committed, and is forgotten if there is no leader.
     *
     * @param value the new value; absent to remove the fact
     * @param base the version on which the change is based; {@link Fact#ABSENT} if there was none
     * @return completes normally after at most {@value #PROPOSAL_SECONDS} s
     * @throws IllegalArgumentException if the key or the value is too long
     */
    public CompletableFuture<ProposalResult> propose(String key, Optional<String> value, long base) {
        requireShort(key, value);
        if (excess(key, value).isPresent()) {
            return CompletableFuture.completedFuture(ProposalResult.FULL);
        }
        return log.submit(new FactCommand(key, value.orElse(null), base).encode())
                .orTimeout(PROPOSAL_SECONDS, TimeUnit.SECONDS)
                .handle((answer, failure) ->
                        failure == null ? FactAnswer.decode(answer).result() : ProposalResult.UNKNOWN);
    }

    private static void requireShort(String key, Optional<String> value) {
        int bytes =
                value.map(text -> text.getBytes(StandardCharsets.UTF_8).length).orElse(0);
        if (key.isEmpty() || key.length() > Fact.MAX_KEY_LENGTH || bytes > Fact.MAX_VALUE_BYTES) {
            throw new IllegalArgumentException("a fact with a key of " + key.length() + " characters and a value of "
                    + bytes + " bytes (expected: at most " + Fact.MAX_KEY_LENGTH + " and " + Fact.MAX_VALUE_BYTES
                    + ")");
        }
    }

    /** The number of committed facts with matching prefixes. Cost: O(number of prefixes). */
    int count(Predicate<String> prefixes) {
        return usage.count(prefixes);
    }

    /**
     * Watches the changes that this node makes to the selected facts.
     *
     * @param keys selects the watched facts by their keys; called by the fact thread
     */
    public ChangeWatch watch(Predicate<String> keys) {
        CompletableFuture<ChangeResult> result = new CompletableFuture<>();
        ChangeWatches.Watch watch = new ChangeWatches.Watch(keys, result);
        execute(() -> pending.watch(watch));
        return max -> {
            execute(() -> pending.close(watch));
            return result.completeOnTimeout(ChangeResult.PENDING, max.toNanos(), TimeUnit.NANOSECONDS);
        };
    }

    private void apply(String key, Optional<Fact> fact) {
        Fact next = fact.orElse(null);
        usage.replace(next == null ? committed.remove(key) : committed.put(key, next), next);
        pending.committed(key, fact.orElse(null));
        if (!pending.contains(key)) {
            listener.committed(key, fact);
        }
    }

    private final class Outcomes implements PendingChanges.Outcomes {

        @Override
        public @Nullable Fact committed(String key) {
            return committed.get(key);
        }

        @Override
        public void restored(PendingChange change) {
            listener.restored(change);
        }

        @Override
        public void rejected(PendingChange change, String reason) {
            LOG.warn("cluster=rejected key=\"{}\" reason=\"{}\"", change.key(), reason);
            listener.rejected(change, reason);
            listener.committed(change.key(), find(change.key()));
        }
    }

    private void execute(Runnable task) {
        try {
            thread.execute(() -> run(task));
        } catch (RejectedExecutionException e) {
            LOG.debug("the facts are closed");
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("cluster=facts_failed", e);
        }
    }

    /** Leaves the cluster. Pending changes are kept for the next start. */
    @Override
    public void close() {
        log.close();
        thread.shutdown();
    }
}
