package io.ballast.dashboard.live;

import io.ballast.core.backend.Backend;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.core.stats.LatencySummary;
import io.ballast.dashboard.source.DashboardSources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * All statistics, sampled once a second. After a reload, existing objects keep their history, new objects
 * start at zero, and removed objects count only in the overall totals.
 *
 * <p>Thread safety: confined to the dashboard's event loop after construction.
 */
public final class LiveStats {

    private final Supplier<Topology> topologySource;
    private final FrontendRates frontends;
    private final GroupSeries overall;
    private final History history = new History();
    private final RemovedSources<Backend> removedBackends = new RemovedSources<>(Totals::of);
    private Topology topology;
    private List<PoolSeries> pools;
    private int layoutVersion;
    private long version;

    public LiveStats(DashboardSources sources) {
        this.topologySource = sources.topology();
        this.frontends = new FrontendRates(sources.listeners(), sources.dns(), sources.policies());
        this.topology = topologySource.get();
        this.pools = topology.poolList().stream().map(PoolSeries::new).toList();
        this.overall = new GroupSeries(sampledRequests());
    }

    /** Adopts the active configuration, then takes a sample. */
    public void sample(long nowNanos) {
        applyActiveConfig();
        updateHealth();
        removedBackends.sample();
        pools.forEach(pool -> pool.sample(nowNanos, version));
        frontends.sample(nowNanos);
        overall.sample(sampledRequests(), nowNanos);
        history.add(overall);
    }

    /** Starts a new version, and marks every backend whose health or last check changed since the previous one. */
    public void updateHealth() {
        version++;
        pools.forEach(pool -> pool.updateHealth(version));
    }

    /** The version number that is assigned to changes; incremented by each health update and each sample. */
    public long version() {
        return version;
    }

    /**
     * Updates the statistics to the configuration that a reload has activated. If nothing changed, this costs one
     * comparison per pool and listener.
     */
    public void applyActiveConfig() {
        boolean changed = frontends.updateFrontends();
        Topology now = topologySource.get();
        if (!now.equals(topology)) {
            topology = now;
            pools = applyActiveConfig(now);
            changed = true;
        }
        // Always update the members, because a pool may receive its members shortly after a change of the topology.
        for (PoolSeries series : pools) {
            changed |= series.updateMembers(series.pool());
        }
        if (changed) {
            layoutVersion++;
        }
    }

    private List<PoolSeries> applyActiveConfig(Topology now) {
        Map<String, PoolSeries> known = new HashMap<>();
        pools.forEach(series -> known.put(series.pool().name(), series));
        List<PoolSeries> next = now.poolList().stream()
                .map(pool -> updateOrCreateSeries(pool, Optional.ofNullable(known.remove(pool.name()))))
                .toList();
        known.values().forEach(series -> series.moveCountersTo(removedBackends));
        return next;
    }

    private static PoolSeries updateOrCreateSeries(Pool pool, Optional<PoolSeries> known) {
        known.ifPresent(series -> {
            boolean unused = series.updateMembers(pool);
        });
        return known.orElseGet(() -> new PoolSeries(pool));
    }

    /**
     * A version number that is incremented whenever pools, backends, listeners or the DNS frontend are added, removed
     * or reordered.
     */
    public int layoutVersion() {
        return layoutVersion;
    }

    public List<PoolSeries> pools() {
        return pools;
    }

    public Optional<PoolSeries> pool(String name) {
        return pools.stream().filter(pool -> pool.pool().name().equals(name)).findFirst();
    }

    /** The totals of client requests by outcome. The response times are those of the backends. */
    public GroupSeries overall() {
        return overall;
    }

    /** History of the rates and response times of all client requests, for charts. */
    public History history() {
        return history;
    }

    public FrontendRates frontends() {
        return frontends;
    }

    /** Returns the response times of all backends that reloads removed. */
    public LatencySummary removedBackendLatency() {
        LatencySummary.Sum times = new LatencySummary.Sum();
        times.add(removedBackends.read().latency());
        pools.forEach(pool -> times.add(pool.removedBackendLatency()));
        return times.total();
    }

    private Totals sampledRequests() {
        LatencySummary.Sum latency = new LatencySummary.Sum();
        latency.add(removedBackendLatency());
        pools.forEach(pool -> latency.add(pool.attempts().total().latency()));
        return frontends.read().withLatency(latency.total());
    }
}
