package io.ballast.dashboard.live;

import io.ballast.core.balance.Member;
import io.ballast.core.pool.Pool;
import java.util.List;
import java.util.function.Function;

/** One pool with its backends as they move. */
public final class PoolSeries {

    private final Pool pool;
    private final List<BackendSeries> backends;
    private final GroupSeries attempts;
    private final GroupSeries requests;

    /** @param series gives the series of a member, an existing one if the backend was there before */
    PoolSeries(Pool pool, Function<Member, BackendSeries> series) {
        this.pool = pool;
        this.backends = pool.members().stream().map(series).toList();
        this.attempts = new GroupSeries(sum(backends));
        this.requests = new GroupSeries(Totals.of(pool));
    }

    void sample(long nowNanos) {
        backends.forEach(backend -> backend.sample(nowNanos));
        attempts.sample(sum(backends), nowNanos);
        requests.sample(Totals.of(pool), nowNanos);
        long recentRequests = attempts.recent().requests();
        backends.forEach(backend -> backend.share(recentRequests));
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

    /** What its backends add up to: each attempt counts. */
    public GroupSeries attempts() {
        return attempts;
    }

    /** Clients' requests that went to it and are over: each counts once, for what the client saw. */
    public GroupSeries requests() {
        return requests;
    }

    /** How many backends take traffic now; those of weight 0 never do. */
    public long usable() {
        return pool.snapshot().usable().size();
    }
}
