package io.ballast.dashboard.live;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.core.stats.LatencySummary;
import io.ballast.dashboard.DashboardSources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Everything that moves, sampled once a second. After a reload, backends and pools that stayed keep what was gathered
 * about them.
 *
 * <p>Thread safety: confined to the dashboard's event loop after construction.
 */
public final class LiveStats {

    private final Supplier<Topology> source;
    private final FrontendRates frontends;
    private final GroupSeries overall;
    private final History history = new History();
    private Topology topology;
    private List<PoolSeries> pools;

    public LiveStats(DashboardSources sources) {
        this.source = sources.topology();
        this.frontends = new FrontendRates(sources.listeners(), sources.dns());
        this.topology = source.get();
        this.pools = follow(topology, List.of());
        this.overall = new GroupSeries(sampledRequests());
    }

    /** Takes a sample and returns whether pools or backends came or went since the last one. */
    public boolean sample(long nowNanos) {
        Topology now = source.get();
        boolean changed = !now.equals(topology);
        if (changed) {
            topology = now;
            pools = follow(now, pools);
            overall.rebase(sampledRequests());
        }
        pools.forEach(pool -> pool.sample(nowNanos));
        frontends.sample(nowNanos);
        overall.sample(sampledRequests(), nowNanos);
        history.add(overall);
        return changed;
    }

    public List<PoolSeries> pools() {
        return pools;
    }

    public Optional<PoolSeries> pool(String name) {
        return pools.stream().filter(pool -> pool.pool().name().equals(name)).findFirst();
    }

    /** All clients' requests and what became of them; their times are those of the backends. */
    public GroupSeries overall() {
        return overall;
    }

    /** The same, for charts. */
    public History history() {
        return history;
    }

    public FrontendRates frontends() {
        return frontends;
    }

    private Totals sampledRequests() {
        LatencySummary.Sum latency = new LatencySummary.Sum();
        pools.forEach(pool -> latency.add(pool.attempts().total().latency()));
        return frontends.read().with(latency.total());
    }

    private static List<PoolSeries> follow(Topology topology, List<PoolSeries> before) {
        Map<Backend, BackendSeries> known = new HashMap<>();
        before.forEach(pool -> pool.backends().forEach(series -> known.put(series.backend(), series)));
        return topology.poolList().stream()
                .map(pool -> sameOrNew(pool, before, known))
                .toList();
    }

    private static PoolSeries sameOrNew(Pool pool, List<PoolSeries> before, Map<Backend, BackendSeries> known) {
        return before.stream()
                .filter(series -> series.pool() == pool)
                .findFirst()
                .orElseGet(() -> new PoolSeries(pool, member -> follow(member, known)));
    }

    private static BackendSeries follow(Member member, Map<Backend, BackendSeries> known) {
        BackendSeries series = known.get(member.backend());
        return series != null && series.member().equals(member) ? series : new BackendSeries(member);
    }
}
