package io.ballast.core.pool;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.balance.Member;
import io.ballast.core.balance.Strategies;
import io.ballast.core.balance.Strategy;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.stats.Counters;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Backends that serve the same thing, and the snapshot of them that is in force.
 *
 * <p>Thread safety: {@link #snapshot} may be read by any thread; {@link #compile} may run anywhere;
 * {@link #publish} and {@link #refresh} are called by the control plane only.
 */
public final class Pool {

    private static final Logger LOG = LoggerFactory.getLogger(Pool.class);

    private final PoolConfig config;
    private final List<Member> members;
    private final Strategy strategy;
    private final Counters<PoolCounter> counters;
    private final @Nullable WaitQueue waitQueue;
    private final List<RetryBudget> retryBudgets;
    private final List<Consumer<PoolSnapshot>> listeners = new CopyOnWriteArrayList<>();
    private final List<PoolWatcher> watchers = new CopyOnWriteArrayList<>();
    private volatile PoolSnapshot snapshot;

    /**
     * @param members every backend of the pool in the order of the configuration, whatever its weight or health
     * @param shards how many event loops count for it
     */
    public Pool(PoolConfig config, List<Member> members, int shards) {
        this.config = config;
        this.members = List.copyOf(members);
        this.strategy = Strategies.create(config.strategy());
        this.counters = new Counters<>(PoolCounter.class, shards);
        int queue = config.queue().size();
        this.waitQueue = queue == 0 ? null : new WaitQueue(queue);
        this.retryBudgets = Stream.generate(() -> new RetryBudget(config.retry().budget(), shards, System.nanoTime()))
                .limit(shards)
                .toList();
        this.snapshot = compile();
    }

    public String name() {
        return config.name();
    }

    public PoolConfig config() {
        return config;
    }

    /** Every member, usable or not. */
    public List<Member> members() {
        return members;
    }

    public Counters<PoolCounter> counters() {
        return counters;
    }

    /** Where requests wait while every usable backend is full; null if they do not. */
    public @Nullable WaitQueue waitQueue() {
        return waitQueue;
    }

    /** What event loop {@code index} may spend on retries. */
    public RetryBudget retryBudget(int index) {
        return retryBudgets.get(index);
    }

    /** How many requests wait now. */
    public int waiting() {
        return waitQueue == null ? 0 : waitQueue.length();
    }

    /** What is in force now: one field read. */
    public PoolSnapshot snapshot() {
        return snapshot;
    }

    /** Compiles a snapshot from the backends' present health and publishes it. */
    public void refresh() {
        publish(compile());
    }

    /** Puts a compiled snapshot in force, then tells the listeners. */
    public void publish(PoolSnapshot next) {
        snapshot = next;
        if (waitQueue != null) {
            waitQueue.refreshed(next);
        }
        listeners.forEach(listener -> tell(listener, next));
    }

    /**
     * Has {@code listener} called with every later snapshot, on the control plane's thread, after it is in force.
     * Frontends that precompile answers, such as DNS, hang on here. If it throws, that is logged, and the
     * others are called.
     *
     * @return ends that
     */
    public Registration onRefresh(Consumer<PoolSnapshot> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /**
     * Has a watcher told of every check of its backends from now on.
     *
     * @return ends that
     */
    public Registration watch(PoolWatcher watcher) {
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }

    /**
     * Tells the watchers that a backend was checked. Called by the control plane only.
     *
     * @return whether one of them asks for {@link #settle}
     */
    public boolean checked(Backend backend, HealthStatus.LastCheck check) {
        boolean asked = false;
        for (PoolWatcher watcher : watchers) {
            asked |= watcher.checked(backend, check);
        }
        return asked;
    }

    /** Has the watchers draw their conclusions from the checks so far. Called by the control plane only. */
    public void settle() {
        watchers.forEach(PoolWatcher::settle);
    }

    private void tell(Consumer<PoolSnapshot> listener, PoolSnapshot next) {
        try {
            listener.accept(next);
        } catch (RuntimeException e) {
            LOG.error("pool={} msg=\"listener failed\"", name(), e);
        }
    }

    /**
     * Compiles a snapshot from the backends' present health. Cost: up to a second for 10,000 members and ip-hash, so it
     * does not run on the control plane's thread (CompileBenchmark).
     */
    public PoolSnapshot compile() {
        List<Member> usable = members.stream()
                .filter(member -> member.weight() > 0)
                .filter(member -> member.backend().health().state().isUsable())
                .toList();
        return new PoolSnapshot(usable, strategy.compile(usable));
    }
}
