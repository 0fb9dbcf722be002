package io.ballast.core.pool;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.balance.CheckTimes;
import io.ballast.core.balance.Member;
import io.ballast.core.balance.SessionTokens;
import io.ballast.core.config.LatencyConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.geo.Geography;
import io.ballast.core.stats.Counters;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A group of equivalent backends with its active snapshot. It exists as long as the configuration contains a
 * pool with its name. A reload changes its members and settings, and preserves its counters and its queue.
 *
 * <p>Thread safety: any thread may read {@link #snapshot} and the configuration; {@link #compile} may run
 * anywhere; {@link #publish} and {@link #refresh} are called by the control plane only.
 */
public final class Pool {

    private static final Logger LOG = LoggerFactory.getLogger(Pool.class);

    private final String name;
    private final Counters<PoolCounter> counters;
    private final List<Consumer<PoolSnapshot>> listeners = new CopyOnWriteArrayList<>();
    private final List<PoolWatcher> watchers = new CopyOnWriteArrayList<>();
    private volatile PoolSetup setup;
    private volatile @Nullable WaitQueue waitQueue;
    private volatile PoolSnapshot snapshot;
    private volatile @Nullable FormerSnapshot previousSnapshot;
    private volatile Optional<OverrideTerms> maintenance = Optional.empty();

    /**
     * The snapshot that was active before a reload.
     *
     * @param generation the generation of the last topology in which the snapshot was active
     */
    private record FormerSnapshot(PoolSnapshot snapshot, int generation) {}

    /**
     * @param members all backends of the pool in the order of the configuration, regardless of weight and health
     * @param shards number of event loops with counters
     */
    public Pool(PoolConfig config, List<Member> members, int shards) {
        this(config, members, shards, () -> null);
    }

    /** @param geography read when the pool is compiled; supplies null if the locations of clients are unknown */
    Pool(PoolConfig config, List<Member> members, int shards, Supplier<@Nullable Geography> geography) {
        this.name = config.name();
        this.setup = PoolSetup.create(config, members, shards, geography);
        this.counters = new Counters<>(PoolCounter.class, shards);
        this.waitQueue = WaitQueue.of(config.queue());
        this.snapshot = compile();
    }

    public String name() {
        return name;
    }

    public PoolConfig config() {
        return setup.config();
    }

    /** All members, whether usable or not. */
    public List<Member> members() {
        return setup.members();
    }

    /**
     * Returns the session tokens that bind clients to their backends; null if clients are not bound. Cost: one
     * field read.
     */
    public @Nullable SessionTokens tokens() {
        return setup.strategy().tokens();
    }

    PoolSetup setup() {
        return setup;
    }

    public Counters<PoolCounter> counters() {
        return counters;
    }

    /**
     * Returns the queue of requests that wait while every usable backend is full; null if requests do not wait.
     * Once a queue exists, it is never replaced.
     */
    public @Nullable WaitQueue waitQueue() {
        return waitQueue;
    }

    /** Returns the retry budget of event loop {@code index}. */
    public RetryBudget retryBudget(int index) {
        return setup.retryBudgets().get(index);
    }

    /** Number of waiting requests. */
    public int waitingRequests() {
        WaitQueue queue = waitQueue;
        return queue == null ? 0 : queue.length();
    }

    /** Maximum number of simultaneously waiting requests. */
    public int maxWaitingRequests() {
        WaitQueue queue = waitQueue;
        return queue == null ? 0 : queue.maxLength();
    }

    /** The maintenance override of the pool, if there is one. */
    public Optional<OverrideTerms> maintenance() {
        return maintenance;
    }

    /** Sets the maintenance of the pool. Called by the control plane only, which compiles the pool afterwards. */
    public void maintenance(Optional<OverrideTerms> next) {
        maintenance = next;
    }

    /** Returns the active snapshot. Cost: one field read. */
    public PoolSnapshot snapshot() {
        return snapshot;
    }

    /**
     * Returns the snapshot for a route of the given generation. During a reload, requests that were routed by the
     * previous routing table get the previous snapshot, so that no request uses parts of both. Cost: two field
     * reads.
     */
    public PoolSnapshot snapshot(int generation) {
        PoolSnapshot now = snapshot; // read first: if this is the new snapshot, the previous one is already visible
        FormerSnapshot before = previousSnapshot;
        return before != null && generation <= before.generation ? before.snapshot : now;
    }

    /** Compiles a snapshot from the current health of the backends and publishes it. */
    public void refresh() {
        publish(compile());
    }

    /**
     * Activates a compiled snapshot, then notifies the listeners. The snapshot is dropped if its members have
     * been replaced since it was compiled.
     */
    public void publish(PoolSnapshot next) {
        if (!next.setup().equals(setup)) {
            return;
        }
        snapshot = next;
        WaitQueue queue = waitQueue;
        if (queue != null) {
            queue.setUnhealthyBackends(next.unhealthy());
            queue.onUsableChanged(next.usable());
        }
        listeners.forEach(listener -> notifyListener(listener, next));
    }

    /**
     * Activates new members and settings. Called by the control plane only.
     *
     * @param compiled the snapshot of these members
     * @param generation the generation of the previous topology; its routes use the previous members
     */
    void adopt(PoolSnapshot compiled, int generation) {
        PoolSetup next = compiled.setup();
        WaitQueue queue = waitQueue;
        if (queue == null) {
            waitQueue = WaitQueue.of(next.config().queue());
        } else {
            queue.resize(next.config().queue().size());
        }
        previousSnapshot = new FormerSnapshot(snapshot, generation);
        setup = next;
        publish(compiled);
    }

    /** Releases the snapshot that was active before the last {@link #adopt}. */
    void releasePreviousSnapshot() {
        previousSnapshot = null;
    }

    /**
     * Registers a listener for every later snapshot; it is called on the control plane's thread after activation.
     * Frontends that precompile answers, such as DNS, use it. If a listener throws, the exception is logged and the
     * other listeners are called.
     *
     * @return removes the listener
     */
    public Registration onRefresh(Consumer<PoolSnapshot> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /**
     * Registers a watcher for every later check of the pool's backends.
     *
     * @return removes the watcher
     */
    public Registration watch(PoolWatcher watcher) {
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }

    /**
     * Passes a check result to the strategy and the watchers. Called by the control plane only.
     *
     * @return whether the strategy or a watcher requests {@link #evaluateChecks}
     */
    public boolean onCheck(Backend backend, HealthStatus.LastCheck check) {
        CheckTimes times = setup.strategy().checkTimes();
        boolean found = false;
        if (times != null) {
            found = times.add(backend, check);
        } else {
            backend.checkTime().add(check, LatencyConfig.DEFAULT_ALPHA); // needed if a reload adds a latency strategy
        }
        for (PoolWatcher watcher : watchers) {
            found |= watcher.onCheck(backend, check);
        }
        return found;
    }

    /**
     * Makes the watchers evaluate the checks received so far. Called by the control plane only.
     *
     * @return whether a strategy that uses checks requires a recompilation of the pool
     */
    public boolean evaluateChecks() {
        watchers.forEach(PoolWatcher::evaluateChecks);
        CheckTimes times = setup.strategy().checkTimes();
        return times != null && times.isStale();
    }

    private void notifyListener(Consumer<PoolSnapshot> listener, PoolSnapshot next) {
        try {
            listener.accept(next);
        } catch (RuntimeException e) {
            LOG.error("pool={} msg=\"pool listener failed\"", name(), e);
        }
    }

    /**
     * Compiles a snapshot from the current health of the backends. Cost: up to a second for 10,000 members and
     * ip-hash, so it does not run on the control plane's thread (CompileBenchmark).
     */
    public PoolSnapshot compile() {
        return setup.compile(maintenance.isPresent());
    }
}
