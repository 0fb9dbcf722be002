package io.ballast.agent.registry;

import io.ballast.core.backend.Backend;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Limits how many backends of a pool may have a reduced weight because of their load. A pool that reduces the weight of
 * too many backends would only move the load to the other backends. If all backends are overloaded, no weight is
 * reduced.
 */
final class DrainBudget {

    private DrainBudget() {}

    /**
     * A backend that takes traffic.
     *
     * @param wantedTenths the share of its weight that its agent requests, in tenths
     * @param since orders the requests for a reduced weight; the smallest value was requested first
     */
    record Candidate(BackendKey key, int wantedTenths, long since) {

        boolean isReduced() {
            return wantedTenths < Backend.ALL_TENTHS;
        }
    }

    /**
     * Returns the backends whose weight is reduced, each with the granted share of its weight in tenths. The requests
     * that were made first are granted.
     *
     * @param candidates all backends of the pool that agents report as up
     * @param maxPercent the largest share of these backends whose weight may be reduced; if this share is above zero,
     *     the weight of at least one of several backends may be reduced
     */
    static Map<BackendKey, Integer> grant(List<Candidate> candidates, int maxPercent) {
        List<Candidate> reduced = candidates.stream()
                .filter(Candidate::isReduced)
                .sorted(Comparator.comparingLong(Candidate::since))
                .toList();
        if (reduced.size() == candidates.size() || maxPercent == 0) {
            return Map.of();
        }
        int max = Math.max(1, candidates.size() * maxPercent / 100);
        Map<BackendKey, Integer> granted = new HashMap<>();
        reduced.stream().limit(max).forEach(each -> granted.put(each.key(), each.wantedTenths()));
        return granted;
    }
}
