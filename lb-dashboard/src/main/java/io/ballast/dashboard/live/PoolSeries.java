package io.ballast.dashboard.live;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.pool.Pool;
import java.util.List;
import java.util.function.Function;

/** One pool with its backends as they move. */
public final class PoolSeries {

    private final Pool pool;
    private final List<BackendSeries> backends;
    private final GroupSeries group;

    /** @param series gives the series of a member, an existing one if the backend was there before */
    PoolSeries(Pool pool, Function<Member, BackendSeries> series) {
        this.pool = pool;
        this.backends = pool.members().stream().map(series).toList();
        this.group = new GroupSeries(sum(backends));
    }

    void sample(long nowNanos) {
        backends.forEach(backend -> backend.sample(nowNanos));
        int inFlight = backends.stream()
                .map(BackendSeries::backend)
                .mapToInt(backend -> backend.inFlight().count())
                .sum();
        group.sample(sum(backends), inFlight, nowNanos);
        long recentRequests = group.recent().requests();
        backends.forEach(backend -> backend.share(recentRequests));
    }

    private static Reading sum(List<BackendSeries> backends) {
        return backends.stream().map(BackendSeries::total).reduce(Reading.NONE, Reading::plus);
    }

    public Pool pool() {
        return pool;
    }

    public List<BackendSeries> backends() {
        return backends;
    }

    public GroupSeries group() {
        return group;
    }

    /** How many backends take traffic now. */
    public long usable() {
        return backends.stream()
                .map(BackendSeries::backend)
                .filter(PoolSeries::isUsable)
                .count();
    }

    private static boolean isUsable(Backend backend) {
        return backend.health().state().isUsable();
    }
}
