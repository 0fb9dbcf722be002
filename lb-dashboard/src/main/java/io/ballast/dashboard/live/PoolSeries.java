package io.ballast.dashboard.live;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.pool.Pool;
import io.ballast.core.stats.LatencySummary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The sampled statistics of one pool and its backends. */
public final class PoolSeries {

    private final RemovedSources<Backend> removedBackends = new RemovedSources<>(Totals::of);
    private final GroupSeries attempts;
    private Pool pool;
    private List<Member> members;
    private List<BackendSeries> backends;
    private GroupSeries requests;

    PoolSeries(Pool pool) {
        this.pool = pool;
        this.members = pool.members();
        this.backends = members.stream().map(BackendSeries::new).toList();
        this.attempts = new GroupSeries(sum(backends));
        this.requests = new GroupSeries(Totals.of(pool));
    }

    /** Adopts the current members of the pool; returns whether a member was added, removed or changed. */
    boolean updateMembers(Pool now) {
        if (!pool.equals(now)) {
            pool = now;
            requests = new GroupSeries(Totals.of(now));
        }
        List<Member> next = pool.members();
        if (next.equals(members)) {
            return false;
        }
        members = next;
        Map<Backend, BackendSeries> known = new HashMap<>();
        backends.forEach(series -> known.put(series.backend(), series));
        backends = next.stream()
                .map(member -> {
                    BackendSeries same = known.remove(member.backend());
                    return same == null ? new BackendSeries(member) : same.withMember(member);
                })
                .toList();
        known.keySet().forEach(removedBackends::add);
        return true;
    }

    /** Moves the counters of the pool's backends to {@code target} when the pool is removed. */
    void moveCountersTo(RemovedSources<Backend> target) {
        target.addAll(removedBackends);
        backends.forEach(series -> target.add(series.backend()));
    }

    void sample(long nowNanos, long version) {
        removedBackends.sample();
        backends.forEach(backend -> backend.sample(nowNanos));
        attempts.sample(sum(backends), removedBackends.read(), nowNanos);
        requests.sample(Totals.of(pool), nowNanos);
        long recentRequests = attempts.recent().requests();
        backends.forEach(backend -> backend.share(recentRequests, version));
    }

    void updateHealth(long version) {
        backends.forEach(backend -> backend.updateHealth(version));
    }

    private static Totals sum(List<BackendSeries> backends) {
        TotalsSum sum = new TotalsSum();
        backends.forEach(backend -> sum.add(backend.total()));
        return sum.total();
    }

    public Pool pool() {
        return pool;
    }

    public List<BackendSeries> backends() {
        return backends;
    }

    /** The totals of all attempts at the pool's backends. Rates include removed backends; totals do not. */
    public GroupSeries attempts() {
        return attempts;
    }

    /**
     * Completed client requests to the pool. Each request counts once, with the result that the client received.
     */
    public GroupSeries requests() {
        return requests;
    }

    /** Returns the response times of the backends that reloads removed from the pool. */
    public LatencySummary removedBackendLatency() {
        return removedBackends.read().latency();
    }

    /** Number of backends that currently receive traffic; backends with weight 0 never receive any. */
    public long usable() {
        return pool.snapshot().usable().size();
    }

    /** Number of healthy backends; lower than {@link #usable} only in panic mode. */
    public long healthy() {
        return pool.snapshot().healthy().size();
    }
}
