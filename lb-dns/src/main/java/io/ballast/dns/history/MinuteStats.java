package io.ballast.dns.history;

import io.ballast.core.stats.LatencySummary;
import io.ballast.dns.querylog.AnsweredQuery;
import io.ballast.dns.querylog.Outcome;

/**
 * Outcomes and response times of one minute. The current minute has two histograms; after its end, only their used
 * buckets are kept. Guarded by the lock of its {@link DnsHistory}.
 */
final class MinuteStats {

    private static final int OUTCOMES = Outcome.values().length;

    private final long number;
    private final long[] outcomes = new long[OUTCOMES];
    private ResponseTimes times = new ResponseTimes();
    private LatencySummary hits = LatencySummary.NOTHING;
    private LatencySummary misses = LatencySummary.NOTHING;
    private boolean isEnded;

    /** @param number number of the minute since the epoch */
    MinuteStats(long number) {
        this.number = number;
    }

    long number() {
        return number;
    }

    /** Counts a query. The response time of a query that arrives after the minute's end is ignored. */
    void add(AnsweredQuery query) {
        outcomes[DnsHistory.outcome(query).ordinal()]++;
        if (isEnded) {
            return;
        }
        times.record(query);
    }

    /** Releases the histograms at the end of the minute. */
    void end() {
        if (!isEnded) {
            hits = hits();
            misses = misses();
            times = new ResponseTimes();
            isEnded = true;
        }
    }

    long count(Outcome outcome) {
        return outcomes[outcome.ordinal()];
    }

    /** Response times of cache hits. */
    LatencySummary hits() {
        return isEnded ? hits : times.hits();
    }

    /** Response times of queries that waited for a resolver, including failures. */
    LatencySummary misses() {
        return isEnded ? misses : times.misses();
    }
}
