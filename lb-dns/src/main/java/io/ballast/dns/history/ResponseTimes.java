package io.ballast.dns.history;

import io.ballast.core.stats.LatencyHistogram;
import io.ballast.core.stats.LatencySummary;
import io.ballast.dns.querylog.AnsweredQuery;
import java.util.List;

/**
 * Response times of cache hits, and of queries that waited for a resolver, including failures and stale answers after a
 * timeout.
 *
 * <p>Thread safety: one thread records, any thread may read.
 */
final class ResponseTimes {

    /**
     * A stale answer that took longer than this time is counted as a query that waited for a resolver. A faster stale
     * answer is counted as a cache hit.
     */
    private static final long MAX_HIT_MICROS = 1000;

    private final LatencyHistogram hits = new LatencyHistogram();
    private final LatencyHistogram misses = new LatencyHistogram();

    void record(AnsweredQuery query) {
        boolean waited = query.micros() > MAX_HIT_MICROS;
        switch (query.outcome()) {
            case HIT -> hits.record(query.micros() * 1000);
            case STALE -> (waited ? misses : hits).record(query.micros() * 1000);
            case MISS, FAILED -> misses.record(query.micros() * 1000);
            default -> {}
        }
    }

    LatencySummary hits() {
        return LatencySummary.of(List.of(hits));
    }

    LatencySummary misses() {
        return LatencySummary.of(List.of(misses));
    }
}
