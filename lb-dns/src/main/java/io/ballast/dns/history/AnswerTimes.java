package io.ballast.dns.history;

import io.ballast.core.stats.LatencyHistogram;
import io.ballast.core.stats.LatencySummary;
import io.ballast.dns.querylog.AnsweredQuery;
import java.util.List;

/**
 * How long answers took: those out of the cache, and those that waited for a resolver, in vain or until what was true before was given.
 *
 * <p>Thread safety: one thread records, any may read.
 */
final class AnswerTimes {

    /** A stale answer that took longer has waited; one that did not is a look-up. */
    private static final long LOOK_UP_MICROS = 1000;

    private final LatencyHistogram hits = new LatencyHistogram();
    private final LatencyHistogram misses = new LatencyHistogram();

    void record(AnsweredQuery query) {
        boolean waited = query.micros() > LOOK_UP_MICROS;
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
