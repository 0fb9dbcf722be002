package io.ballast.dashboard.live;

import io.ballast.core.backend.Backend;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.core.stats.LatencySummary;
import io.ballast.dashboard.source.BackendSum;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the counters of all backends of this process. Stateless. */
public final class BackendSums {

    private BackendSums() {}

    /**
     * Returns the counters of the backends with the most requests, and for each pool the sum of its other backends.
     * Cost: O(n log n) for n backends.
     *
     * @param max the maximum number of backends
     */
    public static List<BackendSum> of(Topology topology, int max) {
        List<BackendSum> all = new ArrayList<>();
        for (Pool pool : topology.pools().values()) {
            pool.members().forEach(member -> all.add(of(pool.name(), member.backend())));
        }
        if (all.size() <= max) {
            return all;
        }
        all.sort(Comparator.comparingLong(BackendSum::requests).reversed());
        List<BackendSum> result = new ArrayList<>(all.subList(0, max));
        Map<String, BackendSum> others = new LinkedHashMap<>();
        all.subList(max, all.size()).forEach(each -> others.merge(each.pool(), each.at(""), BackendSum::plus));
        result.addAll(others.values());
        return result;
    }

    private static BackendSum of(String pool, Backend backend) {
        Totals totals = Totals.of(backend);
        LatencySummary latency = totals.latency();
        return new BackendSum(
                pool,
                backend.address().toString(),
                totals.requests(),
                totals.errors(),
                latency.count(),
                latency.sumNanos());
    }
}
