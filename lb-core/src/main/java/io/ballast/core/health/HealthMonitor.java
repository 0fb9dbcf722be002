package io.ballast.core.health;

import io.ballast.core.backend.AgentReport;
import io.ballast.core.backend.Backend;
import io.ballast.core.backend.ExternalOverrideSet;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.balance.Member;
import io.ballast.core.config.CheckAddress;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.core.pool.TopologyChange;
import io.ballast.core.vote.VoteCounters;
import io.ballast.core.vote.VoteExchange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the backends of a topology: runs their checks, counts failed requests, applies {@link
 * OperatorOverrides}, and publishes state changes to pools, the timeline and the log.
 *
 * <p>Checks of all targets run concurrently; the first checks start immediately. Backends with equal checks
 * of the same address share one check at the shortest of their intervals, even across pools. Each backend
 * counts rise and fall separately.
 *
 * <p>Thread safety: every public method may be called from any thread unless it states otherwise; the work is
 * done by the control plane.
 */
public final class HealthMonitor implements AutoCloseable {

    /** Maximum number of concurrent checks if there are enough file descriptors. */
    public static final int MAX_CHECKS = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(HealthMonitor.class);

    private final ControlPlane control;
    private final Probe probe;
    private final RandomGenerator random;
    private final RefreshQueue refreshes;
    private final LoadSweep sweep;
    private final CheckQueue queue;
    private final SkippedChecks skippedChecks;
    private final HealthVotes votes;
    private Map<CheckTarget, CheckLoop> loops = Map.of();
    private Map<Pool, FailureShares> shares = Map.of();

    /** The map is immutable; the control plane replaces it as a whole. */
    private volatile Map<Backend, WatchedBackend> watched = Map.of();

    private volatile CompletableFuture<Void> firstResults = CompletableFuture.completedFuture(null);
    private volatile boolean closed;

    /**
     * Creates a monitor that compiles pools on the control plane itself, which is suitable for small pools.
     *
     * @param probe runs one check
     * @param random spreads the checks over time; used by the control plane only
     */
    public HealthMonitor(ControlPlane control, Probe probe, RandomGenerator random) {
        this(control, probe, random, Runnable::run, MAX_CHECKS);
    }

    /**
     * @param compiler compiles pools in the background, several at a time
     * @param maxChecks maximum number of concurrent checks; further checks wait
     */
    public HealthMonitor(ControlPlane control, Probe probe, RandomGenerator random, Executor compiler, int maxChecks) {
        this.queue = new CheckQueue(maxChecks);
        this.control = control;
        this.probe = probe;
        this.random = random;
        this.refreshes = new RefreshQueue(control, compiler);
        this.skippedChecks = new SkippedChecks(control);
        this.sweep = new LoadSweep(control, () -> watched.keySet(), System::nanoTime);
        this.votes = new HealthVotes(control, () -> replaceLoops(watched.values()));
        sweep.start();
    }

    /** Shares votes with the other nodes of a cluster from now on. Called once. */
    public void join(VoteExchange exchange) {
        control.execute(() -> votes.join(exchange, watched));
    }

    /** Counters of the votes; zero outside of a cluster. */
    public VoteCounters voteCounters() {
        return votes.counters();
    }

    /**
     * Starts to watch the backends of {@code topology}, and stops watching all other backends. A backend that is
     * already watched keeps its state, unless the check settings of its pool have changed.
     */
    public void watch(Topology topology) {
        CompletableFuture<Void> results = new CompletableFuture<>();
        firstResults = results;
        control.execute(() -> replace(topology, results));
    }

    /**
     * Checks backends that are about to join, so that their state is known when they join.
     *
     * @return completes when each backend has a check result or has no check configured
     */
    public CompletableFuture<Void> watchAhead(List<TopologyChange.Joining> joining) {
        return control.call(() -> {
            CompletableFuture<Void> results = new CompletableFuture<>();
            Map<Backend, WatchedBackend> next = new LinkedHashMap<>(watched);
            List<WatchedBackend> added = new ArrayList<>();
            IdentityHashMap<PoolConfig, CheckAddresses> addresses = new IdentityHashMap<>();
            for (TopologyChange.Joining each : joining) {
                CheckAddress at = addresses
                        .computeIfAbsent(each.config(), CheckAddresses::of)
                        .of(each.backend().address());
                WatchedBackend watch =
                        new WatchedBackend(control, refreshes, each.backend(), each.pool(), each.config(), at);
                next.put(each.backend(), watch);
                added.add(watch);
            }
            replaceAll(next);
            completeWith(added, results);
            return results;
        });
    }

    /**
     * Starts to watch the backends of {@code topology}, like {@link #watch}, and refreshes the changed pools with
     * the current state of their backends. Called on the control plane's thread after activation.
     */
    public void watchAndRefresh(Topology topology, List<Pool> changed) {
        CompletableFuture<Void> results = new CompletableFuture<>();
        firstResults = results;
        replace(topology, results);
        changed.forEach(refreshes::request);
    }

    /**
     * Returns a future that completes when every backend of the last watched topology has a check result or has no
     * check configured. {@link #close} cancels the future. The future has no timeout.
     */
    public CompletableFuture<Void> firstResults() {
        return firstResults.copy();
    }

    /**
     * Counts a request that could not be sent to a backend as a failure toward its {@code fall} threshold. Cheap;
     * any event loop may call it.
     *
     * @param reason the reason as text, in the same form as the reason of a failed check: "connection refused"
     */
    public void connectFailed(Backend backend, String reason) {
        WatchedBackend watch = watched.get(backend);
        if (watch != null && !closed) {
            watch.requestFailed(reason);
        }
    }

    /**
     * Counts a failed request on a backend, whether it was retried or not. Cheap; may be called on any event loop for
     * each request.
     */
    public void exchangeFailed(Backend backend) {
        WatchedBackend watch = watched.get(backend);
        if (watch != null && !closed) {
            watch.exchangeFailed();
        }
    }

    /**
     * Ejects a backend because its requests fail, if its pool allows ejections. Cheap; any event loop may call
     * it.
     *
     * @param reason the reason as text: "5 of 5 requests failed: status 503"
     */
    public void requestEjection(Backend backend, String reason) {
        WatchedBackend watch = watched.get(backend);
        if (watch != null && !closed) {
            watch.requestEjection(reason);
        }
    }

    /**
     * Applies an override, which takes precedence over checks until the backend is enabled. Called on the control
     * plane's thread; ignores a backend that is not watched.
     */
    void applyOverride(Backend backend, StateOverride order) {
        applyIfWatched(backend, watch -> watch.applyOverride(order));
    }

    /** Removes an override, so that checks determine the state again. Called like {@link #applyOverride}. */
    void enable(Backend backend, String who) {
        applyIfWatched(backend, watch -> watch.enable(who));
    }

    /**
     * Replaces the overrides of external sources. Called like {@link #applyOverride}.
     *
     * @param end describes how the last override of the state ended; used only if {@code next} has none
     * @return whether the state or its reason has changed, which was reported
     */
    boolean applyExternal(Backend backend, ExternalOverrideSet next, String end) {
        WatchedBackend watch = watched.get(backend);
        if (watch == null || closed) {
            LOG.warn("backend={} msg=\"override ignored: the health monitor does not know this backend\"", backend);
            return false;
        }
        return watch.applyExternal(next, end);
    }

    /**
     * Replaces the report of an agent about a backend. An agent's drain takes precedence over checks; its up and down
     * decide only for backends without checks. Called on the control plane's thread; ignores a backend that is not
     * watched.
     *
     * @param report empty if agents do not report the backend any more
     */
    public void applyReport(Backend backend, Optional<AgentReport> report) {
        WatchedBackend watch = watched.get(backend);
        if (watch != null && !closed) {
            watch.applyReport(report);
        }
    }

    /**
     * Returns the state of a backend without overrides; empty if it is not watched. Called like {@link #applyOverride}.
     */
    Optional<CheckedState> checkedState(Backend backend) {
        return Optional.ofNullable(watched.get(backend)).map(WatchedBackend::checkedState);
    }

    /** Compiles and publishes a pool after an override. Called on the control plane's thread. */
    void refresh(Pool pool) {
        refreshes.request(pool);
    }

    /**
     * Requests an early check of a backend with lazy checks, because it may be down; has no effect on backends
     * with regular checks. Cheap; any event loop may call it for each failed request.
     */
    public void checkSoon(Backend backend) {
        WatchedBackend watch = watched.get(backend);
        if (watch != null && !closed) {
            watch.requestEarlyCheck();
        }
    }

    /** Stops all checks. Once the control plane has stopped them, the health of backends no longer changes. */
    @Override
    public void close() {
        closed = true;
        firstResults.cancel(/* mayInterruptIfRunning= */ false);
        control.execute(() -> {
            sweep.stop();
            skippedChecks.stop();
            loops.values().forEach(CheckLoop::stop);
            shares.values().forEach(FailureShares::stop);
            watched.values().forEach(WatchedBackend::forget);
        });
    }

    private void applyIfWatched(Backend backend, Consumer<WatchedBackend> order) {
        WatchedBackend watch = watched.get(backend);
        if (watch == null || closed) {
            LOG.warn("backend={} msg=\"override ignored: the health monitor does not know this backend\"", backend);
            return;
        }
        order.accept(watch);
    }

    private void replace(Topology topology, CompletableFuture<Void> results) {
        if (closed) {
            results.cancel(/* mayInterruptIfRunning= */ false);
            return;
        }
        Map<Backend, WatchedBackend> next = new LinkedHashMap<>();
        for (Pool pool : topology.poolList()) {
            CheckAddresses addresses = CheckAddresses.of(pool.config());
            for (Member member : pool.members()) {
                Backend backend = member.backend();
                next.put(backend, watch(watched.get(backend), backend, pool, addresses.of(backend.address())));
            }
        }
        replaceAll(next);
        refreshes.retainPools(topology.poolList());
        completeWith(next.values(), results);
    }

    private static void completeWith(Collection<WatchedBackend> watches, CompletableFuture<Void> results) {
        CompletableFuture<Void> unused = CompletableFuture.allOf(
                        watches.stream().map(WatchedBackend::firstResult).toArray(CompletableFuture[]::new))
                .thenRun(() -> results.complete(null));
    }

    private void replaceAll(Map<Backend, WatchedBackend> next) {
        Map<Backend, WatchedBackend> before = watched;
        watched = next;
        before.forEach((backend, watch) -> {
            if (next.get(backend) != watch) {
                watch.forget();
            }
        });
        votes.replace(next);
        replaceLoops(next.values());
        Map<Pool, PoolEjections> ejections = new LinkedHashMap<>();
        next.values().forEach(watch -> watch.setEjections(ejections.computeIfAbsent(watch.pool(), PoolEjections::new)));
        ejections.values().forEach(PoolEjections::review);
        replaceShares(next.values().stream()
                .collect(Collectors.groupingBy(WatchedBackend::pool, LinkedHashMap::new, Collectors.toList())));
    }

    /**
     * Keeps the {@link FailureShares} of pools with unchanged backends, and replaces the {@link FailureShares} of other
     * pools.
     */
    private void replaceShares(Map<Pool, List<WatchedBackend>> pools) {
        Map<Pool, FailureShares> before = shares;
        Map<Pool, FailureShares> next = new LinkedHashMap<>();
        pools.forEach((pool, backends) -> {
            FailureShares kept = before.get(pool);
            FailureShares all =
                    kept != null && kept.hasBackends(backends) ? kept : new FailureShares(control, pool, backends);
            backends.forEach(backend -> backend.setFailureShares(all));
            next.put(pool, all);
        });
        shares = next;
        before.forEach((pool, all) -> {
            if (next.get(pool) != all) {
                all.stop();
            }
        });
    }

    private WatchedBackend watch(@Nullable WatchedBackend before, Backend backend, Pool pool, CheckAddress at) {
        PoolConfig settings = pool.config();
        if (before == null) {
            return new WatchedBackend(control, refreshes, backend, pool, settings, at);
        }
        if (!before.isReusable(settings, at)) {
            return before.successor(pool, settings, at);
        }
        before.moveTo(pool);
        return before;
    }

    /**
     * Stops the check loops of unused targets, keeps the loops of all other targets, and starts loops for new
     * targets.
     */
    private void replaceLoops(Collection<WatchedBackend> watches) {
        Map<CheckTarget, List<WatchedBackend>> targets = watches.stream()
                .filter(WatchedBackend::isChecked)
                .collect(Collectors.groupingBy(WatchedBackend::target, LinkedHashMap::new, Collectors.toList()));
        Map<CheckTarget, CheckLoop> before = loops;
        Map<CheckTarget, CheckLoop> next = new LinkedHashMap<>();
        targets.forEach((target, backends) -> {
            CheckLoop kept = before.get(target);
            CheckLoop loop = kept != null ? kept : new CheckLoop(control, probe, random, queue, skippedChecks, target);
            loop.backends(backends);
            next.put(target, loop);
        });
        loops = next;
        before.forEach((target, loop) -> {
            if (!next.containsKey(target)) {
                loop.stop();
            }
        });
        next.forEach((target, loop) -> {
            if (!before.containsKey(target)) {
                loop.start();
            }
        });
    }
}
