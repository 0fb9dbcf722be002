package io.ballast.dns.history;

import io.ballast.core.stats.LatencySummary;
import io.ballast.dns.querylog.AnsweredQuery;
import io.ballast.dns.querylog.Outcome;

/**
 * What was answered in one minute: how often in which way, and how long it took. While it lasts it has two histograms; when it
 * is over, only the buckets in use are kept. Guarded by its {@link DnsHistory}.
 */
final class Minute {

    private static final int OUTCOMES = Outcome.values().length;

    private final long number;
    private final long[] outcomes = new long[OUTCOMES];
    private AnswerTimes times = new AnswerTimes();
    private LatencySummary hits = LatencySummary.NOTHING;
    private LatencySummary misses = LatencySummary.NOTHING;
    private boolean over;

    /** @param number since the epoch */
    Minute(long number) {
        this.number = number;
    }

    long number() {
        return number;
    }

    /** A time that comes for a minute that is over is left out; the query counts. */
    void add(AnsweredQuery query) {
        outcomes[DnsHistory.outcome(query).ordinal()]++;
        if (over) {
            return;
        }
        times.record(query);
    }

    /** Lets go of what only a minute under way needs. */
    void end() {
        if (!over) {
            hits = hits();
            misses = misses();
            times = new AnswerTimes();
            over = true;
        }
    }

    long count(Outcome outcome) {
        return outcomes[outcome.ordinal()];
    }

    /** How long answers out of the cache took. */
    LatencySummary hits() {
        return over ? hits : times.hits();
    }

    /** How long answers took that waited for a resolver, in vain as well. */
    LatencySummary misses() {
        return over ? misses : times.misses();
    }
}
