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
 * All statistics, sampled once a second. After a reload, surviving objects keep their history, new ones start at zero,
 * and removed ones only count in the overall totals.
 *
 * <p>Thread safety: confined to the dashboard's event loop after construction.
 */
public final class LiveStats {

    private final Supplier<Topology> source;
    private final FrontendRates frontends;
    private final GroupSeries overall;
    private final History history = new History();
    private final RemovedSources<Backend> departed = new RemovedSources<>(Totals::of);
    private Topology topology;
    private List<PoolSeries> pools;
    private int layout;
    private long version;

    public LiveStats(DashboardSources sources) {
        this.source = sources.topology();
        this.frontends = new FrontendRates(sources.listeners(), sources.dns());
        this.topology = source.get();
        this.pools = topology.poolList().stream().map(PoolSeries::new).toList();
        this.overall = new GroupSeries(sampledRequests());
    }

    /** Takes over the active configuration, then takes a sample. */
    public void sample(long nowNanos) {
        follow();
        updateHealth();
        departed.sample();
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

    /** The version; incremented by each health reading and each sample. Changes are marked with it. */
    public long version() {
        return version;
    }

    /** Takes over the changes of a reload. Costs one comparison per pool and listener if nothing changed. */
    public void follow() {
        boolean changed = frontends.follow();
        Topology now = source.get();
        if (!now.equals(topology)) {
            topology = now;
            pools = follow(now);
            changed = true;
        }
        // Runs in any case, because a pool may receive its members a moment after a change of topology.
        for (PoolSeries series : pools) {
            changed |= series.follow(series.pool());
        }
        if (changed) {
            layout++;
        }
    }

    private List<PoolSeries> follow(Topology now) {
        Map<String, PoolSeries> known = new HashMap<>();
        pools.forEach(series -> known.put(series.pool().name(), series));
        List<PoolSeries> next = now.poolList().stream()
                .map(pool -> sameOrNew(pool, Optional.ofNullable(known.remove(pool.name()))))
                .toList();
        known.values().forEach(series -> series.handOver(departed));
        return next;
    }

    private static PoolSeries sameOrNew(Pool pool, Optional<PoolSeries> known) {
        known.ifPresent(series -> {
            boolean unused = series.follow(pool);
        });
        return known.orElseGet(() -> new PoolSeries(pool));
    }

    /** Incremented whenever pools, backends, listeners or the DNS frontend are added, removed or reordered. */
    public int layout() {
        return layout;
    }

    public List<PoolSeries> pools() {
        return pools;
    }

    public Optional<PoolSeries> pool(String name) {
        return pools.stream().filter(pool -> pool.pool().name().equals(name)).findFirst();
    }

    /** Clients' requests and their outcomes; the response times are those of the backends. */
    public GroupSeries overall() {
        return overall;
    }

    /** History of the overall values, for charts. */
    public History history() {
        return history;
    }

    public FrontendRates frontends() {
        return frontends;
    }

    /** Returns the response times of all backends that reloads removed. */
    public LatencySummary formerTimes() {
        LatencySummary.Sum times = new LatencySummary.Sum();
        times.add(departed.read().latency());
        pools.forEach(pool -> times.add(pool.formerTimes()));
        return times.total();
    }

    private Totals sampledRequests() {
        LatencySummary.Sum latency = new LatencySummary.Sum();
        latency.add(formerTimes());
        pools.forEach(pool -> latency.add(pool.attempts().total().latency()));
        return frontends.read().with(latency.total());
    }
}
