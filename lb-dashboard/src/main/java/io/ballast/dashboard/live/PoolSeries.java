package io.ballast.dashboard.live;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.pool.Pool;
import io.ballast.core.stats.LatencySummary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One pool with its backends as they move. */
public final class PoolSeries {

    private final Departed<Backend> departed = new Departed<>(Totals::of);
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

    /** Takes over the members that the pool has now; returns whether any came, went or changed. */
    boolean follow(Pool now) {
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
                    return same == null ? new BackendSeries(member) : same.as(member);
                })
                .toList();
        known.keySet().forEach(departed::add);
        return true;
    }

    /** Hands over what its backends have counted, when the pool itself is gone. */
    void leave(Departed<Backend> heirs) {
        heirs.addAll(departed);
        backends.forEach(series -> heirs.add(series.backend()));
    }

    void sample(long nowNanos, long version) {
        departed.sample();
        backends.forEach(backend -> backend.sample(nowNanos));
        attempts.sample(sum(backends), departed.read(), nowNanos);
        requests.sample(Totals.of(pool), nowNanos);
        long recentRequests = attempts.recent().requests();
        backends.forEach(backend -> backend.share(recentRequests, version));
    }

    void lookAtHealth(long version) {
        backends.forEach(backend -> backend.lookAtHealth(version));
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

    /** What its backends add up to: each attempt counts. Rates know of former backends, totals do not. */
    public GroupSeries attempts() {
        return attempts;
    }

    /** Clients' requests that went to it and are over: each counts once, for what the client saw. */
    public GroupSeries requests() {
        return requests;
    }

    /** Response times of the backends that a reload took out of the pool. */
    public LatencySummary formerTimes() {
        return departed.read().latency();
    }

    /** How many backends take traffic now; those of weight 0 never do. */
    public long usable() {
        return pool.snapshot().usable().size();
    }

    /** How many of them are healthy: fewer in a panic only. */
    public long healthy() {
        return pool.snapshot().healthy().size();
    }
}
