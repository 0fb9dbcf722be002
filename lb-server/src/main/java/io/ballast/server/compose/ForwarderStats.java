package io.ballast.server.compose;

import io.ballast.dns.history.DnsHistory;
import io.ballast.dns.history.QuerySample;
import io.ballast.dns.querylog.QueryListener;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Statistics of forwarded queries. They live as long as the process, even if reloads switch DNS off and on.
 *
 * @param sample a sample of the queries of about one second, which the dashboard shows live
 */
record ForwarderStats(DnsHistory history, QuerySample sample) {

    /** The maximum number of sampled queries per second; a person cannot read more. */
    private static final int MAX_SAMPLED_PER_SECOND = 20;

    static ForwarderStats start(InstantSource clock) {
        return new ForwarderStats(
                new DnsHistory(clock), new QuerySample(MAX_SAMPLED_PER_SECOND, new SplittableRandom()));
    }

    /** Returns the listeners of queries. */
    List<QueryListener> listeners() {
        return List.of(history, sample);
    }
}
